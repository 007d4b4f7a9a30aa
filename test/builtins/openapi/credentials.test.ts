// Several credentials in one connection: each call carries those that its operation asks for.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Harness } from '../../helpers/harness.ts';
import { connect, documentWith, run, startApi, startOpenapi, type LocalApi } from './local-api.ts';

let harness: Harness;
let api: LocalApi;
beforeAll(async () => {
  api = await startApi(({ headers, url }, response) => void response.writeHead(200).end(JSON.stringify({ headers, url })));
  harness = await startOpenapi();
});
afterAll(async () => {
  expect(await harness.close()).toEqual([]);
  await api.close();
});
beforeEach(() => void (api.asked.length = 0));

const securitySchemes = {
  key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
  app: { type: 'apiKey', in: 'query', name: 'app_id' },
  token: { type: 'http', scheme: 'Bearer' },
  login: { type: 'http', scheme: 'basic' },
};
const get = (operationId: string, security?: object[]): object => ({ get: { operationId, ...(security ? { security } : {}) } });
const spec = documentWith(
  {
    '/both': get('both', [{ key: [], app: [] }]),
    '/either': get('either', [{ login: [] }, { token: [] }]),
    '/open': get('open', []),
    '/optional': get('optional', [{}, { key: [] }]),
    '/usual': get('usual'),
    '/missing': get('missing', [{ login: [] }]),
  },
  { components: { securitySchemes }, security: [{ token: [] }] },
);
const auth = [
  { kind: 'header', name: 'X-API-Key', value: 'key-secret' },
  { kind: 'query', name: 'app_id', value: 'app-secret' },
  { kind: 'bearer', token: 'token-secret', scheme: 'token' },
];

async function carried(operation: string): Promise<string[]> {
  api.asked.length = 0;
  const outcome = await run(harness, `api_${operation}`);
  expect(outcome.ok && outcome.output).not.toMatch(/key-secret|app-secret|token-secret/);
  const [asked] = api.asked;
  return [asked?.headers['x-api-key'], new URL(asked?.url ?? '/', 'http://x').searchParams.get('app_id'), asked?.headers.authorization].flatMap((one) =>
    one === undefined || one === null ? [] : [String(one)],
  );
}

test('each call carries the credentials of the first way that is complete, also after a restart', async () => {
  expect((await connect(harness, { spec, baseUrl: api.url, auth })).body).toMatchObject({ ok: true });
  const expectAll = async (): Promise<void> => {
    expect(await carried('both')).toEqual(['key-secret', 'app-secret']);
    expect(await carried('either')).toEqual(['Bearer token-secret']);
    expect(await carried('open')).toEqual([]);
    expect(await carried('optional')).toEqual(['key-secret']);
    expect(await carried('usual')).toEqual(['Bearer token-secret']);
    expect(await carried('missing')).toEqual([]);
  };
  await expectAll();
  await harness.close({ keepFiles: true });
  harness = await startOpenapi({ home: harness.home, workspace: harness.workspace });
  await harness.call('GET', '/api/integrations');
  await expectAll();
});

test('one credential alone signs every call, as before', async () => {
  await connect(harness, { spec, baseUrl: api.url, auth: { kind: 'bearer', token: 'token-secret' } });
  for (const operation of ['both', 'open', 'usual']) expect(await carried(operation)).toEqual(['Bearer token-secret']);
});

test('a scheme that the document has not is refused', async () => {
  const reply = await connect(harness, { spec, baseUrl: api.url, auth: [{ kind: 'bearer', token: 'x', scheme: 'tokn' }] });
  expect([reply.status, reply.body.error]).toMatchObject([422, { code: 'scheme_unknown', message: expect.stringContaining('key, app, token, login') }]);
});
