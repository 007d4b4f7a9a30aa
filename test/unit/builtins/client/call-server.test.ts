import { expect, test } from 'vitest';
import { createRequests } from '../../../../builtins/clients/client/call-server.ts';

test.each([
  ['of the current token', 'old', ['refused']],
  ['of a replaced token', 'new', []],
])('reports the refused outcome only for the current token: a refusal %s', async (_, later, outcomes) => {
  let token = 'old';
  const seen: string[] = [];
  const fetch = async (): Promise<Response> => {
    token = later;
    return new Response('{"error":{"code":"unauthorized","message":"no"}}', { status: 401 });
  };
  const requests = createRequests({ origin: 'http://127.0.0.1', fetch, token: () => token, onOutcome: (outcome) => void seen.push(outcome) });
  await expect(requests.call('GET /api/status')).rejects.toMatchObject({ status: 401 });
  expect(seen).toEqual(outcomes);
});
