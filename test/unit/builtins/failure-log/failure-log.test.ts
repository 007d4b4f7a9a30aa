import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Harness, runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';
import { addTools, ownTool } from '../../plugins/agent/agent-bench.ts';

const failing = ownTool('fail', ({ say }: { say?: string }) => (say === undefined ? { ok: true, output: 'fine' } : { ok: false, error: say, hint: 'a hint' }));

let harness: Harness;
async function start(environment: Record<string, string> = {}): Promise<void> {
  harness = await startHarness({
    builtins: ['failure-log', 'model-chat-completions'],
    environment: { ...model.environment, ...environment },
    modules: { failing: { register: addTools(failing) as never } },
  });
}
const model = useEach(() => startScriptedModel());

const pathOf = (name = 'failures.jsonl'): string => join(harness.home, name);
const text = (name?: string): Promise<string> => readFile(pathOf(name), 'utf8').catch(() => '');
const lines = async (): Promise<any[]> => (await text()).split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)); // prettier-ignore
const fail = (...says: (string | undefined)[]) => ({ toolCalls: says.map((say) => ({ name: 'fail', args: say === undefined ? {} : { b: 1, say } })) });

test('writes one line for each failed call and none for successful calls', async () => {
  await start();
  model.push(fail('Broken.\nsecond line', undefined), { toolCalls: [{ name: 'no_such_tool', args: '{"x":' }] }, { text: 'ok' });
  const { turnId } = await runTurn(harness, 'go');
  await expect.poll(async () => (await lines()).length).toBe(2);
  const [first, second] = await lines();
  const { chatId } = (await harness.call('GET', '/api/chats')).body.chats[0];
  expect(first).toEqual({
    at: expect.stringMatching(/^\d{4}-.*Z$/),
    chatId,
    turnId,
    tool: 'fail',
    argsDigest: createHash('sha256').update('{"b":1,"say":"Broken.\\nsecond line"}').digest('hex'),
    error: 'Broken.',
    durationMs: expect.any(Number),
  });
  expect(second).toMatchObject({ tool: 'no_such_tool', error: expect.stringContaining('no_such_tool') });
  expect((await stat(pathOf())).mode & 0o777).toBe(0o600);
});

test('cuts errors to 300 characters and redacts secrets', async () => {
  await start();
  model.push(
    fail(
      'password=hunter2hunter2 for https://bob:hidden-pw@example.com',
      'Authorization: Bearer abcdefghijklmnop',
      'the key sk-abcdefghijklmnopqrstuvwx was refused',
      `token eyJhbGciOi.eyJzdWIiOiIx.c2lnbmF0dXJl and test-key`,
      'x'.repeat(5000),
    ),
    { text: 'ok' },
  );
  await runTurn(harness, 'go');
  await expect.poll(async () => (await lines()).length).toBe(5);
  const whole = await text();
  for (const secret of ['hunter2', 'hidden-pw', 'abcdefghijklmnop', 'eyJzdWIi', 'test-key']) expect(whole).not.toContain(secret);
  expect(whole).toContain('[redacted]');
  expect((await lines())[4].error).toHaveLength(300);
});

test('with AGENT_FAILURE_LOG=0 writes nothing, and the setting applies while the server is running', async () => {
  await start();
  model.push(fail('one'), { text: 'ok' }, fail('two'), { text: 'ok' });
  await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_FAILURE_LOG: '0' } } });
  await runTurn(harness, 'go');
  await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_FAILURE_LOG: '1' } } });
  await runTurn(harness, 'go');
  await expect.poll(async () => (await lines()).map((line) => line.error)).toEqual(['two']);
});

test('a write error does not affect the turn, and the lines are written later', async () => {
  await start();
  const { mkdir, rmdir } = await import('node:fs/promises');
  await mkdir(pathOf());
  model.push(fail('one'), { text: 'ok' }, fail('two'), { text: 'ok' });
  expect((await runTurn(harness, 'go')).end).toMatchObject({ reason: 'done' });
  await expect.poll(() => harness.logs.some((line) => line.includes('failures.jsonl cannot be written'))).toBe(true);
  await rmdir(pathOf());
  await runTurn(harness, 'go');
  await expect.poll(async () => (await lines()).map((line) => line.error)).toEqual(['one', 'two']);
});

test('writes buffered lines when the server closes', async () => {
  await start();
  model.push(fail('last'), { text: 'never', stallAfter: 0 });
  await harness.call('POST', '/api/message', { text: 'go' });
  await model.request(1);
  expect(await harness.close({ keepFiles: true })).toEqual([]);
  expect((await lines()).map((line) => line.error)).toEqual(['last']);
});
