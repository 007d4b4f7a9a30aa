import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openEventStream, runTurn } from '../../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import { startScriptedModel, type ScriptedModel } from '../../../helpers/scripted-model.ts';

let model: ScriptedModel;
let harness: Harness;
const stock = ['model-chat-completions', 'files', 'shell', 'checkpoints'];
const open = async (builtins: readonly string[]): Promise<void> => {
  harness = await startHarness({ builtins, environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted' } });
};
const text = (path: string): Promise<string> => readFile(join(harness.workspace, path), 'utf8');

beforeEach(async () => {
  model = await startScriptedModel([]);
});
afterEach(async () => {
  expect(await harness.close()).toEqual([]);
  await model.close();
});

test('a turn changes files without asking, an undo takes it back, and the next turn knows', async () => {
  await open(stock);
  await writeFile(join(harness.workspace, 'a.txt'), 'one\n');
  model.push(
    {
      toolCalls: [
        { name: 'edit_file', args: { path: 'a.txt', edits: [{ search: 'one', replace: 'two' }] } },
        { name: 'write_file', args: { path: 'new/b.txt', content: 'b' } },
      ],
    },
    { text: 'Done.' },
    { text: 'I see.' },
    { text: 'Later.' },
  );
  const { events, turnId } = await runTurn(harness, 'Change it');
  expect(events.filter((event) => event.kind === 'tool_approval')).toEqual([]);
  expect(await text('a.txt')).toBe('two\n');

  const stream = await openEventStream(harness);
  const undone = await harness.call('POST', '/api/undo', {});
  expect(undone).toMatchObject({ status: 200, body: { ok: true, turnId, restored: ['a.txt', 'new/b.txt'], conflicts: [] } });
  expect(await stream.until('checkpoint_restored')).toMatchObject({ turnId, restored: ['a.txt', 'new/b.txt'] });
  stream.close();
  expect(await text('a.txt')).toBe('one\n');
  await expect(text('new/b.txt')).rejects.toThrow('ENOENT');

  expect(await harness.call('POST', '/api/undo', { turnId })).toMatchObject({ status: 409, body: { error: { code: 'already_resolved' } } });
  expect(await harness.call('POST', '/api/undo', {})).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
  expect(await harness.call('POST', '/api/undo', { turn: 'x' })).toMatchObject({ status: 400 });

  await runTurn(harness, 'And now?');
  expect(JSON.stringify(model.requests[2]?.body.messages)).toContain('The user took back changes of an earlier turn');
  await runTurn(harness, 'Again');
  expect(JSON.stringify(model.requests[3]?.body.messages)).not.toContain('The user took back changes');
});

test('the mark of an undo goes with a chat that is deleted for good', async () => {
  await open(stock);
  model.push({ toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'x' } }] }, { text: 'Done.' });
  const { chatId = '' } = (await runTurn(harness, 'Write')).end;
  expect(await harness.call('POST', '/api/undo', {})).toMatchObject({ status: 200 });
  const marks = (): Promise<string[]> => readdir(join(harness.home, 'unsettled'));
  expect(await marks()).toEqual([chatId]);
  await harness.call('DELETE', `/api/chats/${chatId}`);
  expect(await harness.call('DELETE', `/api/chats/trash/${chatId}`)).toMatchObject({ status: 200 });
  expect(await marks()).toEqual([]);
});

test('/undo in the chat does the same', async () => {
  await open(stock);
  model.push({ toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'x' } }] }, { text: 'Done.' });
  await runTurn(harness, 'Write');
  const { stream } = await runTurn(harness, '/undo');
  expect(stream.text()).toBe('Taken back: a.txt.');
  await expect(text('a.txt')).rejects.toThrow('ENOENT');
});

test('while a turn runs, an undo has to wait', async () => {
  await open(stock);
  let release = (): void => undefined;
  const until = new Promise<void>((resolve) => (release = resolve));
  model.push({ text: ['a', 'b'], stallAfter: 1, until });
  const stream = await openEventStream(harness);
  await harness.call('POST', '/api/message', { text: 'Talk' });
  await stream.until('text');
  expect(await harness.call('POST', '/api/undo', {})).toMatchObject({ status: 409, body: { error: { code: 'turn_in_progress' } } });
  release();
  await stream.until('turn_end');
  stream.close();
});

test('without checkpoints a write asks and shows its diff', async () => {
  await open(stock.filter((name) => name !== 'checkpoints'));
  model.push({ toolCalls: [{ name: 'write_file', args: { path: 'a.txt', content: 'x\n' } }] }, { text: 'Done.' });
  const stream = await openEventStream(harness);
  await harness.call('POST', '/api/message', { text: 'Write' });
  const asked = await stream.until('tool_approval');
  expect(asked).toMatchObject({ name: 'write_file', preview: { kind: 'diff', path: 'a.txt', diff: expect.stringContaining('+x') } });
  expect(await harness.call('POST', '/api/approve', { approvalId: asked['approvalId'], decision: 'approve' })).toMatchObject({ status: 200 });
  await stream.until('turn_end');
  stream.close();
  expect(await text('a.txt')).toBe('x\n');
});

test('a command that only looks runs at once, another one asks with its exact text', async () => {
  await open(stock);
  model.push(
    { toolCalls: [{ name: 'run_command', args: { command: 'pwd' } }] },
    { toolCalls: [{ name: 'run_command', args: { command: 'touch made' } }] },
    { text: 'Done.' },
  );
  const stream = await openEventStream(harness);
  await harness.call('POST', '/api/message', { text: 'Look, then touch' });
  const asked = await stream.until('tool_approval');
  expect(asked['preview']).toMatchObject({ kind: 'command', command: 'touch made' });
  expect(stream.events.find((event) => event.kind === 'tool_result')).toMatchObject({ ok: true, output: expect.stringContaining('harness-work-') });
  await harness.call('POST', '/api/approve', { approvalId: asked['approvalId'], decision: 'reject', reason: 'No.' });
  await stream.until('turn_end');
  stream.close();
  await expect(text('made')).rejects.toThrow('ENOENT');
});

test('aborting a turn ends its command before the answer', async () => {
  await open(stock);
  model.push({ toolCalls: [{ name: 'run_command', args: { command: "trap '' TERM; echo begun; sleep 4731.25; sleep 4731.25" } }] });
  const stream = await openEventStream(harness);
  await harness.call('POST', '/api/message', { text: 'Sleep' });
  const asked = await stream.until('tool_approval');
  await harness.call('POST', '/api/approve', { approvalId: asked['approvalId'], decision: 'approve' });
  await stream.until((event) => event.kind === 'tool_progress' && String(event['note']).includes('begun'));
  expect(await harness.call('POST', '/api/session/abort', {})).toMatchObject({ status: 200 });
  const { execFileSync } = await import('node:child_process');
  expect(execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })).not.toContain('sleep 4731.25');
  stream.close();
});
