// Tests complete(): the full reply to a helper call, and the conditions that end it.
import { expect, test } from 'vitest';
import { openModels, type OpenedModels } from './open-models.ts';

let opened: OpenedModels;

const question = { system: 'Be short.', messages: [{ role: 'user' as const, text: 'Hello' }], tools: [], maxTokens: 100, purpose: 'title' };

test('returns the full reply, also after a retry', async () => {
  opened = await openModels([{ status: 500 }, { text: ['One ', 'two.'] }]);
  expect(await opened.models.complete(question, { ms: 10_000, signals: [] })).toMatchObject({ text: 'One two.', finish: 'stop' });
});

test('a timeout names the call and closes the provider connection', async () => {
  opened = await openModels([{ text: ['One ', 'two.'], stallAfter: 1 }]);
  await expect(opened.models.complete(question, { ms: 200, signals: [] })).rejects.toMatchObject({
    code: 'MODELS_ERR_TIMED_OUT',
    message: 'The model did not reply to the call for title within 200 ms, so the call was abandoned.',
  });
  expect(await opened.model.requests[0]?.ended).toBe('gone');
});

test('the timeout includes waits between retries', async () => {
  opened = await openModels(() => ({ status: 500 }), { environment: { AGENT_RETRY_MAX_DELAY_MS: '30000' } });
  await expect(opened.models.complete(question, { ms: 300, signals: [] })).rejects.toMatchObject({ code: 'MODELS_ERR_TIMED_OUT' });
});

test('any abort signal ends the call with its own reason', async () => {
  opened = await openModels([{ text: ['One '], stallAfter: 1 }, { text: ['Two.'] }]);
  const [first, second] = [new AbortController(), new AbortController()];
  const asked = opened.models.complete(question, { ms: 10_000, signals: [first.signal, second.signal] });
  await expect.poll(() => opened.model.requests.length).toBe(1);
  second.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  await expect(opened.models.complete(question, { ms: 10_000, signals: [AbortSignal.abort(new Error('before'))] })).rejects.toThrow('before');
});
