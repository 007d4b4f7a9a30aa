// Tests a turn that waits for a provider limit: visibility of the wait and ways to end it.
import { expect, test } from 'vitest';
import { useAgentBench } from '../agent/agent-bench.ts';

const start = useAgentBench();
const limited = { status: 429, headers: { 'retry-after': '25' }, body: { error: { message: 'Too many requests for this key.' } } };

test('the wait is listed with reason and end, and retrying now continues the turn and notifies every client', async () => {
  const bench = await start(undefined, { environment: { AGENT_RETRY_MAX_DELAY_MS: '30000' } });
  bench.model.push(limited, { text: 'Here I am.' });
  const { body } = await bench.send('Hello.');
  const retryEvent = await bench.stream.until((event) => event.kind === 'provider_retry');
  const retries = async (query = ''): Promise<any[]> => (await bench.call('GET', `/api/session/retries${query}`)).body.retries;
  const [wait] = await retries('?chatId=all');
  expect(wait).toEqual({
    ...{ chatId: body.chatId, turnId: body.turnId, attempt: 1, of: 8, isLimit: true },
    reason: expect.stringContaining('Too many requests for this key.'),
    until: expect.any(String),
  });
  expect(Date.parse(wait.until) - Date.parse(retryEvent['at'] as string)).toBeGreaterThan(20_000);
  expect(await retries()).toEqual([wait]);
  expect(await retries(`?chatId=${body.chatId}`)).toEqual([wait]);
  expect((await bench.call('GET', '/api/status')).body.chats).toMatchObject([{ waitingFor: 'retry' }]);

  expect(await bench.call('POST', '/api/session/retry', {})).toMatchObject({ status: 200, body: { ok: true } });
  expect(await bench.ended(body.turnId)).toMatchObject({ reason: 'done' });
  const waits = bench.stream.events.filter((event) => event.kind === 'provider_retry').map((event) => event['delayMs']);
  expect(waits).toEqual([25_000, 0]);
  expect(await retries('?chatId=all')).toEqual([]);
  expect(await bench.call('POST', '/api/session/retry', {})).toMatchObject({ status: 409, body: { error: { code: 'not_waiting' } } });
});

test('/retry ends the wait while the turn runs, and an abort ends both', async () => {
  const bench = await start(undefined, { environment: { AGENT_RETRY_MAX_DELAY_MS: '30000' } });
  bench.model.push(limited, limited, { text: 'Never.' });
  const { body } = await bench.send('Hello.');
  const retryEvent = (count: number): Promise<unknown> =>
    expect.poll(() => bench.stream.events.filter((event) => event.kind === 'provider_retry' && event['delayMs'] !== 0).length, { timeout: 10_000 }).toBe(count);
  await retryEvent(1);
  expect((await bench.call('POST', '/api/commands', { name: 'retry' })).body).toEqual({ text: 'The model request is sent again now.' });
  await retryEvent(2);
  expect(bench.model.requests).toHaveLength(2);
  expect((await bench.call('GET', '/api/commands')).body.commands).toContainEqual(expect.objectContaining({ name: 'retry', isImmediate: true }));
  expect((await bench.abort()).body).toMatchObject({ ok: true });
  expect(await bench.ended(body.turnId)).toMatchObject({ reason: 'aborted' });
  expect((await bench.call('GET', '/api/session/retries?chatId=all')).body.retries).toEqual([]);
  expect((await bench.call('POST', '/api/commands', { name: 'retry' })).body.error.code).toBe('not_waiting');
});
