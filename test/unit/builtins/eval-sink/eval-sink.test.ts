import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Harness, openEventStream, runTurn, startHarness, startScriptedModel, useEach } from '../../../helpers/in-process.ts';
import { addTools, ownTool } from '../../plugins/agent/agent-bench.ts';

const kit = addTools(
  ownTool('good', () => 'fine'),
  ownTool('bad', () => ({ ok: false, error: 'no' })),
  ownTool('risky', () => 'sent', { effects: ['external'] }),
);

let harness: Harness;
const model = useEach(() => startScriptedModel());
async function start(environment: Record<string, string> = {}): Promise<void> {
  harness = await startHarness({
    builtins: ['eval-sink', 'critic', 'model-chat-completions'],
    environment: { ...model.environment, ...environment },
    modules: { kit: { register: kit as never } },
  });
}
const lines = async (): Promise<any[]> => {
  const text = await readFile(join(harness.home, 'eval.jsonl'), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line)); // prettier-ignore
};

test('with AGENT_EVAL_JSON_SINK each turn writes one line with tools, usage and scores', async () => {
  await start({ AGENT_EVAL_JSON_SINK: '1' });
  const stream = await openEventStream(harness);
  model.push(
    { toolCalls: [{ name: 'good' }, { name: 'bad' }, { name: 'risky' }], usage: { input: 100, output: 20 } },
    { text: 'done', usage: { input: 150, output: 5, cached: 90 } },
  );
  await harness.call('POST', '/api/message', { text: 'a private question' });
  const asked = await stream.until('tool_approval');
  await harness.call('POST', '/api/approve', { approvalId: asked['approvalId'], decision: 'approve' });
  const end = await stream.until('turn_end');
  stream.close();
  await expect.poll(async () => (await lines()).length).toBe(1);
  const [line] = await lines();
  expect(line).toEqual({
    at: expect.stringMatching(/Z$/),
    chatId: end.chatId,
    turnId: end['turnId'],
    model: 'scripted',
    reason: 'done',
    durationMs: end['durationMs'],
    rounds: 2,
    tools: [
      { name: 'good', ok: true, ms: expect.any(Number) },
      { name: 'bad', ok: false, ms: expect.any(Number) },
      { name: 'risky', ok: true, ms: expect.any(Number) },
    ],
    usage: { input: 250, output: 25, cached: 90 },
    scores: { failures: 1, approvals: 1 },
  });
  expect(JSON.stringify(line)).not.toContain('private');
  expect((await stat(join(harness.home, 'eval.jsonl'))).mode & 0o777).toBe(0o600);
});

test('records the critic score, and the failure reason of a failed turn', async () => {
  await start({ AGENT_EVAL_JSON_SINK: '1', AGENT_CRITIC: '1', AGENT_CRITIC_MIN_TOOLS: '0' });
  const answer = { text: 'I changed `src/gone.ts` and `src/lost.ts`.' };
  model.push(answer, { text: '{"ok": true, "problems": []}' }, { status: 401 });
  await runTurn(harness, 'one');
  await runTurn(harness, 'two');
  await expect.poll(async () => (await lines()).map(({ reason, scores }) => ({ reason, scores }))).toEqual([
    { reason: 'done', scores: { critic: 0, failures: 0, approvals: 0 } },
    { reason: 'error', scores: { failures: 0, approvals: 0 } },
  ]); // prettier-ignore
});

test('is off by default and starts with the next turn when enabled', async () => {
  await start();
  model.push({ text: 'a' }, { text: 'b' });
  await runTurn(harness, 'one');
  await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_EVAL_JSON_SINK: '1' } } });
  const { turnId } = await runTurn(harness, 'two');
  await expect.poll(async () => (await lines()).map((line) => line.turnId)).toEqual([turnId]);
});
