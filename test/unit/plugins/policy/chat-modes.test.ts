import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Harness, openEventStream, type ScriptedModel, startHarness, startScriptedModel, type StreamEvent } from '../../../helpers/in-process.ts';

const builtins = ['files', 'checkpoints', 'shell', 'plan', 'safety-judge', 'model-chat-completions'];
const write = (content: string) => ({ toolCalls: [{ name: 'write_file', args: { path: 'note.txt', content, mode: 'overwrite' } }] });
const command = (line: string) => ({ toolCalls: [{ name: 'run_command', args: { command: line } }] });

let model: ScriptedModel;
let harness: Harness;
let chatId: string;
async function start(environment: Record<string, string> = {}): Promise<void> {
  model = await startScriptedModel((request) => {
    if (String(request.body.messages[0]?.content).startsWith('You judge')) return { text: 'SAFE' };
    return replies.shift() ?? { text: 'Done.' };
  });
  harness = await startHarness({ builtins, environment: { ...model.environment, AGENT_SANDBOX: 'off', ...environment } });
  chatId = (await harness.call('POST', '/api/chats', {})).body.chatId;
}
const replies: object[] = [];
afterEach(() => void replies.splice(0));

const setMode = async (mode: string): Promise<void> =>
  expect(await harness.call('PATCH', `/api/chats/${chatId}`, { mode })).toMatchObject({ status: 200, body: { mode } });
const offered = (index: number): string[] => (model.requests[index]?.body.tools as { function: { name: string } }[]).map((tool) => tool.function.name);

async function turn(decision: 'approve' | 'reject', ...script: object[]): Promise<readonly StreamEvent[]> {
  replies.push(...script);
  const stream = await openEventStream(harness, { chatId });
  expect((await harness.call('POST', '/api/message', { text: 'go', chatId })).status).toBe(202);
  const seen = new Set<unknown>();
  for (;;) {
    const next = await stream.until((event) => event.kind === 'turn_end' || (event.kind === 'tool_approval' && !seen.has(event['approvalId'])));
    if (next.kind === 'turn_end') break;
    seen.add(next['approvalId']);
    await harness.call('POST', '/api/approve', { approvalId: next['approvalId'], decision });
  }
  stream.close();
  return stream.events;
}
const of = (events: readonly StreamEvent[], kind: string): StreamEvent[] => events.filter((event) => event.kind === kind);
const note = (): Promise<string> => readFile(join(harness.workspace, 'note.txt'), 'utf8');

test('mode ask edits without approval, mode careful asks with a diff, and a change applies within a running turn', async () => {
  await start();
  expect(of(await turn('reject', write('one')), 'tool_approval')).toEqual([]);
  await setMode('careful');
  const [asked] = of(await turn('reject', write('two')), 'tool_approval');
  expect(asked).toMatchObject({ reason: 'This chat requires an approval for each edit.', preview: { kind: 'diff', path: 'note.txt' } });
  expect(await note()).toBe('one');
  await turn('approve', write('three'));
  expect(await note()).toBe('three');
});

test('YOLO mode approves no edit in a careful chat, which still asks for other calls', async () => {
  await start({ AGENT_YOLO: '1' });
  expect(of(await turn('reject', command('touch made')), 'approval_decision')[0]).toMatchObject({ by: 'yolo' });
  await setMode('careful');
  const events = await turn('reject', write('no'), command('touch made2'));
  expect(of(events, 'tool_approval').map((event) => event['name'])).toEqual(['write_file', 'run_command']);
  await expect(note()).rejects.toThrow();
});

test('plan mode offers only reading tools, rejects others without asking, and ends with an approved plan', async () => {
  await start({ AGENT_YOLO: '1' });
  await writeFile(join(harness.workspace, 'note.txt'), 'old');
  await setMode('plan');
  const events = await turn('reject', write('new'), command('ls'), { toolCalls: [{ name: 'present_plan', args: { plan: '1. Change the note.' } }] });
  expect(offered(0)).toEqual(expect.arrayContaining(['read_file', 'present_plan']));
  expect(offered(0).filter((name) => ['write_file', 'edit_file', 'run_command'].includes(name))).toEqual([]);
  expect(String(model.requests[0]?.body.messages.at(-1).content)).toContain('This chat is in plan mode');
  const results = of(events, 'tool_result');
  expect(results.map((event) => event['ok'])).toEqual([false, false, false]);
  expect(results[0]?.['output']).toContain('plan mode');
  expect(of(events, 'tool_approval').map((event) => event['name'])).toEqual(['present_plan']);
  expect(await note()).toBe('old');
  expect((await harness.call('GET', `/api/chats/${chatId}`)).body.mode).toBe('plan');

  const before = model.requests.length;
  const approved = await turn('approve', { toolCalls: [{ name: 'present_plan', args: { plan: '1. Change the note.' } }] }, write('new'));
  expect(of(approved, 'chat_updated')).toMatchObject([{ change: 'mode', mode: 'ask' }]);
  expect(offered(before + 1)).toEqual(expect.arrayContaining(['write_file']));
  expect(offered(before + 1)).not.toContain('present_plan');
  expect(await note()).toBe('new');
});

test('presenting a plan outside plan mode fails', async () => {
  await start();
  const events = await turn('approve', { toolCalls: [{ name: 'present_plan', args: { plan: 'x' } }] });
  expect(of(events, 'tool_approval')).toEqual([]);
  expect(of(events, 'tool_result')[0]).toMatchObject({ ok: false, output: expect.stringContaining('not in plan mode') });
});

test('mode auto uses the judge regardless of the setting and asks about calls not classified as harmless', async () => {
  await start();
  await writeFile(join(harness.workspace, 'note.txt'), 'alpha\n');
  const harmless = command('cat note.txt | sort -u');
  expect(of(await turn('reject', harmless), 'tool_approval')).toHaveLength(1);
  chatId = (await harness.call('POST', '/api/chats', {})).body.chatId;
  await setMode('auto');
  const events = await turn('reject', harmless, command('touch made'));
  expect(of(events, 'approval_decision').map((event) => event['by'])).toEqual(['judge', 'user']);
});

test('/mode shows and changes the mode', async () => {
  await start();
  const run = async (args: string): Promise<string> => (await harness.call('POST', '/api/commands', { name: 'mode', chatId, args })).body.text;
  expect(await run('')).toContain('ask: asks before actions that cannot be undone (now)');
  expect(await run('Careful')).toContain('Mode careful');
  expect(await run('other')).toMatch(/There is no mode 'other'.[^]*careful: .*\(now\)/);
});
