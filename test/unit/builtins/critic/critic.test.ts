import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openEventStream, runTurn } from '../../../helpers/event-stream.ts';
import { type Harness, startHarness } from '../../../helpers/harness.ts';
import { type ScriptedModel, type ScriptedReply, type ScriptedRequest, startScriptedModel } from '../../../helpers/scripted-model.ts';
import { addTools, ownTool } from '../../plugins/agent/agent-bench.ts';

const kit = addTools(
  ownTool('look', () => 'seen: packages/web/deep.ts says 42'),
  ownTool('outside', () => ({ ok: true, output: 'x', isUntrusted: true })),
);

let model: ScriptedModel;
let harness: Harness;
let replies: ScriptedReply[];
let opinions: ScriptedReply[];
let asked: ScriptedRequest[];
async function start(environment: Record<string, string> = {}): Promise<void> {
  harness = await startHarness({
    builtins: ['critic', 'model-chat-completions'],
    environment: { ...model.environment, AGENT_FAST_MODEL: 'fast', AGENT_CRITIC: '1', AGENT_CRITIC_MIN_TOOLS: '1', ...environment },
    modules: { kit: { register: kit as never } },
  });
  await mkdir(join(harness.workspace, 'src'));
  await writeFile(join(harness.workspace, 'src', 'a.ts'), 'export function add(a: number, b: number) {\n  return a + b;\n}\n');
  await writeFile(join(harness.workspace, 'src', 'b.ts'), 'b\n');
}
beforeEach(async () => {
  [replies, opinions, asked] = [[], [], []];
  model = await startScriptedModel((request) => {
    if (request.body.model !== 'fast') return replies.shift() ?? { text: 'Done.' };
    asked.push(request);
    return opinions.shift() ?? { text: '{"ok": true, "problems": []}' };
  });
});

const look: ScriptedReply = { toolCalls: [{ name: 'look', args: { at: 'deep' } }] };
const good = 'The function is in `src/a.ts`:\n```ts\nexport function add(a: number, b: number) {\n...\n}\n```\nand `src/b.ts` is as it was.';
const bad = 'I changed `src/a.ts` and `src/missing.ts`.';
const verdicts = (events: readonly any[]): any[] => events.filter((event) => event.kind === 'critic_verdict');
const shownTo = (request: ScriptedRequest | undefined): any => JSON.parse(String(request?.body.messages.at(-1).content).split('\n')[1] ?? '');

test('with AGENT_CRITIC a correct answer gets a positive verdict', async () => {
  await start();
  replies = [look, { text: good }];
  const { events, turnId, end } = await runTurn(harness, 'where is it?');
  expect(verdicts(events)).toMatchObject([{ turnId, ok: true, problems: [], isSentBack: false }]);
  expect(end).toMatchObject({ reason: 'done', rounds: 2 });
});

test('without AGENT_CRITIC no answer is checked', async () => {
  await start({ AGENT_CRITIC: '0' });
  replies = [look, { text: bad }];
  expect(verdicts((await runTurn(harness, 'go')).events)).toEqual([]);
  expect(asked).toEqual([]);
});

test('reports a missing file and code that is not in its file, without another round', async () => {
  await start();
  replies = [look, { text: `${bad}\nIn \`src/a.ts\`:\n\`\`\`ts\nexport function add(a, b) {\n  return a - b;\n\`\`\`` }];
  const { events, end } = await runTurn(harness, 'go');
  expect(verdicts(events)[0]).toMatchObject({
    ok: false,
    isSentBack: false,
    problems: [expect.stringContaining('src/missing.ts, which does not exist'), expect.stringContaining(': export function add(a, b) {')],
  });
  expect(end).toMatchObject({ rounds: 2 });
});

test('accepts a file that a tool showed in another folder, and ignores files outside the workspace', async () => {
  await start();
  await symlink('/etc', join(harness.workspace, 'link'));
  replies = [look, { text: 'It is in web/deep.ts and `deep.ts`, see /etc/nothing.md, ../up/x.md and src/a.ts.\nIn link/hosts.txt:\n```ini\nnothing\n```' }];
  const { events } = await runTurn(harness, 'go');
  expect(verdicts(events)[0]).toMatchObject({ problems: ['The answer names link/hosts.txt, which does not exist.'] });
});

test('adds the problems that the model reports', async () => {
  await start();
  opinions = [{ text: '```json\n{"ok": false, "problems": ["It says 42,\\nbut nothing\\nshowed that."]}\n```' }];
  replies = [look, { text: good }];
  expect(verdicts((await runTurn(harness, 'go')).events)[0]).toMatchObject({ ok: false, problems: ['It says 42, but nothing showed that.'] });
  expect(JSON.stringify((await harness.call('GET', '/api/usage')).body)).toContain('critic');
});

test.each<ScriptedReply>([{ text: 'Looks fine!' }, { text: '{"ok": "no"}' }, { status: 400 }, { text: '{"ok": false, "problems": "all"}' }])(
  'ignores an invalid reply of the model: %j',
  async (reply) => {
    await start();
    opinions = [reply];
    replies = [look, { text: good }];
    expect(verdicts((await runTurn(harness, 'go')).events)).toMatchObject([{ ok: true, problems: [] }]);
  },
);

test('with AGENT_CRITIC_REQUIRE a bad answer is sent back once, and the next one is final', async () => {
  await start({ AGENT_CRITIC_REQUIRE: '1' });
  replies = [look, { text: bad }, { text: bad }, { text: 'never' }];
  const { events, end } = await runTurn(harness, 'go');
  expect(verdicts(events).map(({ ok, isSentBack }) => ({ ok, isSentBack }))).toEqual([
    { ok: false, isSentBack: true },
    { ok: false, isSentBack: false },
  ]);
  expect(end).toMatchObject({ reason: 'done', rounds: 3 });
  const again = model.requests.filter((request) => request.body.model !== 'fast')[2];
  expect(again?.body.messages.at(-1).content).toContain('<<<\n- The answer names src/missing.ts, which does not exist.\n>>>');
});

test('with AGENT_CRITIC_REQUIRE a good answer is not sent back', async () => {
  await start({ AGENT_CRITIC_REQUIRE: '1' });
  replies = [look, { text: good }];
  expect((await runTurn(harness, 'go')).end).toMatchObject({ rounds: 2 });
});

test('AGENT_CRITIC_EVIDENCE controls whether the model receives the tool results', async () => {
  await start();
  replies = [look, { text: good }, look, { text: good }];
  await runTurn(harness, 'the question');
  expect(shownTo(asked[0])).toMatchObject({
    request: 'the question',
    answer: good,
    evidence: [{ tool: 'look', ok: true, text: expect.stringContaining('42') }],
  });
  await harness.call('PUT', '/api/settings', { harness: { env: { AGENT_CRITIC_EVIDENCE: '0' } } });
  await runTurn(harness, 'again');
  expect(shownTo(asked[1])).not.toHaveProperty('evidence');
});

test('skips turns with fewer calls than AGENT_CRITIC_MIN_TOOLS, and answers without files and code', async () => {
  await start({ AGENT_CRITIC_MIN_TOOLS: '2' });
  replies = [look, { text: bad }, look, look, { text: 'All is well.' }, look, look, { text: bad }];
  expect(verdicts((await runTurn(harness, 'one')).events)).toEqual([]);
  expect(verdicts((await runTurn(harness, 'two')).events)).toEqual([]);
  expect(verdicts((await runTurn(harness, 'three')).events)).toHaveLength(1);
});

test('a turn stopped during the check ends immediately as done, without a verdict', async () => {
  await start();
  opinions = [{ text: 'x', stallAfter: 0 }];
  replies = [look, { text: good }];
  const stream = await openEventStream(harness);
  await harness.call('POST', '/api/message', { text: 'go' });
  await expect.poll(() => asked.length).toBe(1);
  const status = (await harness.call('GET', '/api/status')).body.chats[0];
  expect(status).toMatchObject({ busy: true, waitingFor: 'model' });
  expect((await harness.call('POST', '/api/session/abort', {})).status).toBe(200);
  expect(await stream.until('turn_end')).toMatchObject({ reason: 'done' });
  expect(verdicts(stream.events)).toEqual([]);
  stream.close();
  expect(await asked[0]?.ended).toBe('gone');
});

test('verify_result runs the check on request of the model', async () => {
  await start({ AGENT_CRITIC: '0' });
  opinions = [{ text: '{"ok": true, "problems": []}' }, { status: 400 }];
  const verify = (args: object): ScriptedReply => ({ toolCalls: [{ name: 'verify_result', args }] });
  replies = [look, verify({ claim: 'It is in src/a.ts.', paths: ['src/b.ts'] }), verify({ claim: 'Done.', paths: ['./src/gone.ts'] })];
  const { events } = await runTurn(harness, 'go');
  const outputs = events.filter((event) => event.kind === 'tool_result' && event['name'] === 'verify_result').map((event) => String(event['output']));
  expect(outputs[0]).toContain('No problems found: 2 files and quotes were looked up; a model reviewed the claim');
  expect(outputs[1]).toContain('- The answer names src/gone.ts, which does not exist.');
  expect(outputs[1]).toContain('no model reviewed it');
  expect(events.some((event) => event.kind === 'tool_approval')).toBe(false);
  expect((await harness.call('GET', '/api/tools')).body.tools).toContainEqual(expect.objectContaining({ name: 'verify_result', family: 'critic' }));
});

test('verify_result returns external content after the turn read external content', async () => {
  await start();
  replies = [{ toolCalls: [{ name: 'outside' }] }, { toolCalls: [{ name: 'verify_result', args: { claim: 'x' } }] }];
  const { events } = await runTurn(harness, 'go');
  expect(events.find((event) => event.kind === 'tool_result' && event['name'] === 'verify_result')).toMatchObject({ untrusted: true });
});
