import { lstat, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { emptyTranscript, reduce, type ChatEvent, type Transcript } from 'agent-harness/transcript';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openEventStream, type EventStream } from '../../helpers/event-stream.ts';
import { startHarness, type Harness } from '../../helpers/harness.ts';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { title, whyNot } from '../../unit/builtins/effect-preview/overlay-tests.ts';

let model: ScriptedModel;
let harness: Harness;
let stream: EventStream;
let seen = 0;
const at = (path: string): string => join(harness.workspace, path);
const text = (path: string): Promise<string> => readFile(at(path), 'utf8');
const stages = (): Promise<string[]> => readdir(join(harness.home, 'plugin-data/effect-preview')).catch(() => []);

async function next(kind: string): Promise<any> {
  const found = await stream.until((event) => event.kind === kind && stream.events.indexOf(event) >= seen);
  seen = stream.events.indexOf(found) + 1;
  return found;
}

async function open(more: Readonly<Record<string, string>> = {}): Promise<void> {
  harness = await startHarness({
    builtins: ['model-chat-completions', 'files', 'shell', 'checkpoints', 'effect-preview'],
    environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted', ...more },
  });
  stream = await openEventStream(harness);
  seen = 0;
}

async function send(command: string, more: object = {}): Promise<void> {
  model.push({ toolCalls: [{ name: 'run_command', args: { command, ...more } }] }, { text: 'Done.' });
  const sent = await harness.call('POST', '/api/message', { text: `Run ${command}` });
  expect(sent.status).toBeLessThan(300);
}

async function ask(command: string, more: object = {}): Promise<any> {
  await send(command, more);
  return question();
}

async function question(): Promise<any> {
  const approval = await next('tool_approval');
  if (approval.rehearsal?.state !== 'running') return approval;
  const { rehearsal } = await next('approval_rehearsed');
  return { ...approval, rehearsal };
}

async function decide(body: object): Promise<any> {
  expect(await harness.call('POST', '/api/approve', body)).toMatchObject({ status: 200 });
  const result = await next('tool_result');
  await next('turn_end');
  return result;
}

describe.skipIf(whyNot !== undefined)(title, () => {
  beforeEach(async () => {
    model = await startScriptedModel([]);
    await open();
  });
  afterEach(async () => {
    stream.close();
    expect(await harness.close()).toEqual([]);
    await model.close();
  });

  test('undoes the files of a command that commits, and keeps the commit', async () => {
    await mkdir(at('.git'));
    const { approvalId, rehearsal } = await ask('echo new > a.txt; echo object > .git/object');
    await decide({ approvalId, decision: 'approve', rehearsal: rehearsal.id });
    const { body } = await harness.call('POST', '/api/undo', {});
    expect(body).toMatchObject({ restored: ['a.txt'], notUndone: [{ tool: 'run_command' }] });
    expect(await text('.git/object')).toBe('object\n');
  });

  test('previews the changes of a command in the approval and applies exactly them on approval', async () => {
    await writeFile(at('a.txt'), 'one\n');
    await writeFile(at('gone.txt'), 'gone\n');
    const { approvalId, rehearsal } = await ask('echo two >> a.txt; rm gone.txt; echo new > b.txt; date +%N%s > stamp; echo said');
    expect(rehearsal).toMatchObject({ state: 'ready', ok: true, output: 'said' });
    expect(rehearsal.changes).toMatchObject([
      { path: 'a.txt', kind: 'edited', added: 1, removed: 0 },
      { path: 'b.txt', kind: 'added', added: 1, removed: 0 },
      { path: 'gone.txt', kind: 'deleted' },
      { path: 'stamp', kind: 'added' },
    ]);
    expect(rehearsal.diff).toContain('+two');
    expect(await readdir(harness.workspace)).toEqual(['a.txt', 'gone.txt']);
    const stamp = /\+(\d{15,})/.exec(rehearsal.diff)?.[1];

    const result = await decide({ approvalId, decision: 'approve', rehearsal: rehearsal.id });
    expect(result).toMatchObject({ ok: true, output: 'said' });
    expect(await text('a.txt')).toBe('one\ntwo\n');
    expect(await text('stamp')).toBe(`${stamp}\n`);
    expect((await readdir(harness.workspace)).sort()).toEqual(['a.txt', 'b.txt', 'stamp']);
    await expect.poll(stages).toEqual([]);

    expect(await harness.call('POST', '/api/undo', {})).toMatchObject({ status: 200, body: { conflicts: [] } });
    expect((await readdir(harness.workspace)).sort()).toEqual(['a.txt', 'gone.txt']);
    expect([await text('a.txt'), await text('gone.txt')]).toEqual(['one\n', 'gone\n']);
  });

  test('counts neither previewed nor recorded commands as external effects', async () => {
    const commands = ['test -e b.txt || echo none', 'chmod 755 a.txt', 'echo two > a.txt', 'echo real > b.txt'];
    await writeFile(at('a.txt'), 'one\n');
    for (const command of commands) model.push({ toolCalls: [{ name: 'run_command', args: { command } }] });
    model.push({ text: 'Done.' });
    const { turnId } = (await harness.call('POST', '/api/message', { text: 'Run them' })).body;
    for (const command of commands) {
      const { approvalId, rehearsal } = await question();
      const chosen = command === commands.at(-1) ? 'none' : rehearsal.id;
      expect(await harness.call('POST', '/api/approve', { approvalId, decision: 'approve', rehearsal: chosen })).toMatchObject({ status: 200 });
      expect(await next('tool_result')).toMatchObject({ ok: true });
    }
    await next('turn_end');

    expect((await harness.call('GET', `/api/changes?turnId=${turnId}`)).body.outside).toEqual([]);
    const { body } = await harness.call('POST', '/api/undo', {});
    expect(body).toMatchObject({ ok: true, restored: ['a.txt', 'b.txt'], notUndone: [] });
  });

  test('leaves files and timestamps unchanged on denial', async () => {
    await writeFile(at('a.txt'), 'one\n');
    const before = await lstat(at('a.txt'), { bigint: true });
    const folder = await lstat(harness.workspace, { bigint: true });
    const { approvalId } = await ask('echo two > a.txt; touch x; mkdir -p d/e; chmod 700 .');
    await decide({ approvalId, decision: 'reject' });
    const after = await lstat(at('a.txt'), { bigint: true });
    expect([after.mtimeNs, after.ctimeNs, after.ino]).toEqual([before.mtimeNs, before.ctimeNs, before.ino]);
    const now = await lstat(harness.workspace, { bigint: true });
    expect([now.mtimeNs, now.ctimeNs]).toEqual([folder.mtimeNs, folder.ctimeNs]);
    await expect.poll(stages).toEqual([]);
  });

  test('reports a conflict, applies nothing and asks again when a file changed meanwhile', async () => {
    await writeFile(at('a.txt'), 'one\n');
    const first = await ask('echo two >> a.txt; echo b > b.txt');
    await writeFile(at('a.txt'), 'by hand\n');
    expect(await harness.call('POST', '/api/approve', { approvalId: first.approvalId, decision: 'approve', rehearsal: first.rehearsal.id })).toMatchObject({
      status: 200,
    });
    const again = await question();
    expect(again.reason).toContain('The preview was not applied and a new approval is needed: a.txt was changed meanwhile.');
    expect(await readdir(harness.workspace)).toEqual(['a.txt']);
    expect(again.rehearsal.diff).toContain(' by hand\n+two');
    const drawn = (): Transcript => reduce(emptyTranscript, stream.events as unknown as ChatEvent[]).state;
    expect(drawn().approvals).toMatchObject([{ approvalId: again.approvalId, rehearsal: { id: again.rehearsal.id } }]);
    const callOf = ({ entries }: Transcript) => entries.find(({ kind }) => kind === 'tool');
    expect(callOf(drawn())).toMatchObject({ state: 'waiting', approval: { approvalId: again.approvalId } });
    expect(callOf(drawn())).not.toHaveProperty('decision');
    await decide({ approvalId: again.approvalId, decision: 'approve', rehearsal: again.rehearsal.id });
    expect(await text('a.txt')).toBe('by hand\ntwo\n');
    expect([drawn().approvals, callOf(drawn())]).toMatchObject([[], { state: 'ok', decision: { decision: 'approve' } }]);
  });

  test('reports a running preview and accepts a decision before it ends', async () => {
    await send('test -e go || sleep 20; echo done > a.txt');
    const { approvalId, rehearsal } = await next('tool_approval');
    expect(rehearsal).toEqual({ state: 'running' });
    await writeFile(at('go'), '');
    const result = await decide({ approvalId, decision: 'approve', rehearsal: 'none' });
    expect(result.ok).toBe(true);
    expect(await text('a.txt')).toBe('done\n');
    await expect.poll(stages).toEqual([]);
  });

  test('adds the result of a slow preview to the approval and accepts only its id', async () => {
    await send('sleep 1; echo done > a.txt');
    const { approvalId } = await next('tool_approval');
    const { rehearsal } = await next('approval_rehearsed');
    expect(rehearsal).toMatchObject({ state: 'ready', changes: [{ path: 'a.txt', kind: 'added' }] });
    const { body } = await harness.call('GET', '/api/pending');
    expect(body.approvals).toMatchObject([{ approvalId, rehearsal: { id: rehearsal.id } }]);
    expect(await harness.call('POST', '/api/approve', { approvalId, decision: 'approve', rehearsal: 'other' })).toMatchObject({ status: 400 });
    await decide({ approvalId, decision: 'approve', rehearsal: rehearsal.id });
    expect(await text('a.txt')).toBe('done\n');
  });

  test.each([
    ['in the background', { background: true }, 'background'],
    ['with network', { network: true }, 'network'],
  ])('gives the reason for the missing preview of a command %s', async (_, more, word) => {
    const { approvalId, rehearsal } = await ask('true; echo x', more);
    expect(rehearsal).toMatchObject({ state: 'none', why: expect.stringContaining(word) });
    await decide({ approvalId, decision: 'reject' });
  });

  test('removes the preview when its chat is deleted', async () => {
    await writeFile(at('a.txt'), 'one\n');
    const { chatId, rehearsal } = await ask('echo two >> a.txt; rm -r .; true');
    expect(rehearsal.state).toBe('ready');
    expect(await stages()).toHaveLength(1);
    await harness.call('POST', '/api/abort', { chatId });
    expect((await harness.call('DELETE', `/api/chats/${chatId}`, {})).status).toBe(200);
    await expect.poll(stages).toEqual([]);
    expect([await readdir(harness.workspace), await text('a.txt')]).toEqual([['a.txt'], 'one\n']);
  });

  test('detects a conflict between the previews of two chats in one folder', async () => {
    await writeFile(at('a.txt'), 'one\n');
    model.push({ toolCalls: [{ name: 'run_command', args: { command: 'echo two >> a.txt; true' } }] });
    await harness.call('POST', '/api/message', { text: 'Run it' });
    const first = await question();
    const place = { workspaceMode: 'folder', workspaceRoot: harness.workspace };
    const { chatId } = (await harness.call('POST', '/api/chats', place)).body;
    stream.close();
    stream = await openEventStream(harness, { chatId: 'all' });
    seen = 0;
    model.push({ toolCalls: [{ name: 'run_command', args: { command: 'echo three >> a.txt; true' } }] });
    await harness.call('POST', '/api/message', { chatId, text: 'Run it' });
    const second = await question();
    model.push({ text: 'Done.' }, { text: 'Done.' });
    const yes = async ({ approvalId, rehearsal: { id } }: any): Promise<void> => {
      expect(await harness.call('POST', '/api/approve', { approvalId, decision: 'approve', rehearsal: id })).toMatchObject({ status: 200 });
    };
    await yes(first);
    await next('tool_result');
    await yes(second);
    const again = await question();
    expect(again.reason).toContain('The preview was not applied and a new approval is needed: a.txt was changed meanwhile.');
    await yes(again);
    await next('tool_result');
    expect(await text('a.txt')).toBe('one\ntwo\nthree\n');
    await expect.poll(stages).toEqual([]);
  });

  test('applies all changes or none when a turn is aborted during approval', async () => {
    const { approvalId, chatId, rehearsal } = await ask('for i in $(seq 200); do echo $i > f$i; done');
    await Promise.all([
      harness.call('POST', '/api/approve', { approvalId, decision: 'approve', rehearsal: rehearsal.id }),
      harness.call('POST', '/api/abort', { chatId }),
    ]);
    await next('turn_end');
    await expect.poll(stages).toEqual([]);
    expect([0, 200]).toContain((await readdir(harness.workspace)).length);
  });

  test('runs edited arguments instead of the preview', async () => {
    const { approvalId } = await ask('echo one > a.txt');
    await decide({ approvalId, decision: 'edit', args: { command: 'echo two > a.txt' } });
    expect(await text('a.txt')).toBe('two\n');
    await expect.poll(stages).toEqual([]);
  });

  test('asks without a preview after /preview off', async () => {
    await mkdir(at('d'));
    await harness.call('POST', '/api/message', { text: '/preview off' });
    await next('turn_end');
    const { approvalId, rehearsal } = await ask('rm -r d; echo x');
    expect(rehearsal).toBeUndefined();
    await decide({ approvalId, decision: 'approve' });
    await expect(lstat(at('d'))).rejects.toThrow('ENOENT');
    await rm(at('d'), { recursive: true, force: true });
  });

  test('disables previews with AGENT_EFFECT_PREVIEW=0 and enables them in a chat with /preview on', async () => {
    stream.close();
    expect(await harness.close()).toEqual([]);
    await open({ AGENT_EFFECT_PREVIEW: '0' });
    const { approvalId, rehearsal } = await ask('echo x > a.txt');
    expect(rehearsal).toBeUndefined();
    await decide({ approvalId, decision: 'reject' });
    await harness.call('POST', '/api/message', { text: '/preview on' });
    await next('turn_end');
    const again = await ask('echo x > a.txt; true');
    expect(again.rehearsal).toMatchObject({ state: 'ready' });
    await decide({ approvalId: again.approvalId, decision: 'reject' });
  });
});
