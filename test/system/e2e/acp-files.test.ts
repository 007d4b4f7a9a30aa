// Tests files of an editor: unsaved buffers are read, writes pass through the editor, and its refusal or exit causes no direct access.
// late: ws
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { expect, test } from 'vitest';
import { useServer, type ServerWorld } from '../../helpers/use-server.ts';
import { startEditor, useEditors, type Editor, type EditorOptions, type Message } from '../../helpers/acp-editor.ts';
import { type ScriptedReply, type ScriptedRequest, withoutNotes } from '../../helpers/scripted-model.ts';

let { home, workspace, model, server } = {} as ServerWorld;
useServer((world) => void ({ home, workspace, model, server } = world));
const editors = useEditors();
const patient = { timeout: 20_000 };
const both = { fs: { readTextFile: true, writeTextFile: true } };

async function open(buffers: Record<string, string>, more: Partial<EditorOptions> & { save?: (path: string, text: string) => unknown } = {}): Promise<Editor> {
  const { save = (path, text) => writeFile(path, text), ...options } = more;
  const editor = startEditor({
    ...{ home, workspace, capabilities: both },
    async answer({ method, params }) {
      if (method === 'fs/read_text_file') return { content: buffers[params.path] ?? (await readFile(params.path, 'utf8')) };
      if (method !== 'fs/write_text_file') return { outcome: { outcome: 'selected', optionId: 'allow' } };
      await save(params.path, params.content);
      buffers[params.path] = params.content;
      return null;
    },
    ...options,
  });
  editors.push(editor);
  await editor.initialize();
  return editor;
}

const isTurn = ({ body }: ScriptedRequest): boolean => (body.tools?.length ?? 0) > 0;
const script = (...replies: readonly ScriptedReply[]): void =>
  model.play([...replies.map((reply) => ({ ...reply, when: isTurn })), { text: 'Done.', always: true }]);
const answers = (): any[] =>
  model.requests
    .filter(isTurn)
    .at(-1)
    ?.body.messages.filter(({ role }: any) => role === 'tool') ?? [];
const call = (name: string, args: object): ScriptedReply => ({ toolCalls: [{ name, args }] });
const asked = (editor: Editor, method: string): Message[] => editor.received.filter((message) => message.method === method);
/** Result of the newest tool call, or of the one before with -2. */
const result = (which = -1): string =>
  withoutNotes(
    String(
      model.requests
        .filter(isTurn)
        .at(which)
        ?.body.messages.findLast(({ role }: any) => role === 'tool')?.content,
    ),
  );
const api = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' } });

async function file(name: string, text: string): Promise<string> {
  const path = join(workspace, name);
  await writeFile(path, text);
  return path;
}

test('reads and edits an unsaved buffer, writes it through the editor and restores it on undo', async () => {
  const path = await file('open.txt', 'saved\n');
  const editor = await open({ [path]: 'not saved\nsecond\n' });
  const sessionId = await editor.newSession();
  script(call('read_file', { path: 'open.txt' }), call('edit_file', { path: 'open.txt', edits: [{ search: 'not saved', replace: 'edited' }] }));
  await editor.prompt(sessionId, 'Edit.');
  expect(result(-2)).toContain('not saved');
  expect(asked(editor, 'fs/write_text_file').map(({ params }) => params)).toEqual([{ sessionId, path, content: 'edited\nsecond\n' }]);
  expect(await readFile(path, 'utf8')).toBe('edited\nsecond\n');
  expect(result()).toContain('-not saved');
  const undone = await api('/api/undo', { method: 'POST', body: JSON.stringify({ chatId: sessionId }) });
  expect(await undone.json()).toMatchObject({ restored: ['open.txt'], conflicts: [] });
  expect(await readFile(path, 'utf8')).toBe('not saved\nsecond\n');
});

test('shows the diff against the unsaved buffer in the permission request', async () => {
  const path = await file('asked.txt', 'saved\n');
  const editor = await open({ [path]: 'not saved\n' });
  const sessionId = await editor.newSession();
  await editor.request('session/set_mode', { sessionId, modeId: 'careful' });
  script(call('edit_file', { path: 'asked.txt', edits: [{ search: 'not', replace: 'now' }] }));
  await editor.prompt(sessionId, 'Edit.');
  const [permission] = asked(editor, 'session/request_permission');
  expect(permission?.params.toolCall.content.find(({ type }: any) => type === 'diff')).toMatchObject({ path, oldText: 'not saved', newText: 'now saved' });
});

test('writes a new file, reports formatting on save and reports a file that is not saved yet', async () => {
  const path = join(workspace, 'new.txt');
  const editor = await open({}, { save: (at, text) => writeFile(at, text.includes('tidy') ? `${text}\n` : text) });
  const sessionId = await editor.newSession();
  script(call('write_file', { path: 'new.txt', content: 'plain' }));
  await editor.prompt(sessionId, 'Write.');
  expect(result()).toBe('Created new.txt: 1 line, 5 bytes.');
  script(call('write_file', { path: 'new.txt', content: 'tidy' }));
  await editor.prompt(sessionId, 'Write.');
  expect(result()).toContain('changed it while saving');
  const undone = await api('/api/undo', { method: 'POST', body: JSON.stringify({ chatId: sessionId }) });
  expect(await undone.json()).toMatchObject({ restored: ['new.txt'], conflicts: [] });
  expect(await readFile(path, 'utf8')).toBe('plain');
  const lazy = await open({}, { save: () => undefined });
  const other = await lazy.newSession();
  script(call('write_file', { path: 'new.txt', content: 'held' }));
  await lazy.prompt(other, 'Write.');
  expect(result()).toContain('not on disk yet');
});

test('reports a refusal by the editor and does not access the disk instead', async () => {
  const path = await file('refused.txt', 'saved\n');
  const editor = await open(
    {},
    {
      answer({ method }) {
        throw new Error(`${method}: the buffer is locked`);
      },
    },
  );
  const sessionId = await editor.newSession();
  script(call('read_file', { path: 'refused.txt' }), call('write_file', { path: 'fresh.txt', content: 'x' }));
  await editor.prompt(sessionId, 'Read.');
  expect(JSON.stringify(answers())).toContain('did not send its text: Error: fs/read_text_file: the buffer is locked');
  expect(result()).toContain('the buffer is locked');
  expect(result()).toContain('The file on disk is unchanged.');
  expect(await readFile(path, 'utf8')).toBe('saved\n');
  await expect(readFile(join(workspace, 'fresh.txt'))).rejects.toThrow();
});

test('fails a pending read immediately when the editor exits, then reads from the disk', async () => {
  await file('left.txt', 'saved\n');
  const editor = startEditor({ home, workspace, capabilities: both, answer: () => new Promise(() => undefined) });
  await editor.initialize();
  const sessionId = await editor.newSession();
  script(call('read_file', { path: 'left.txt' }), call('read_file', { path: 'left.txt', limit: 1 }));
  void editor.prompt(sessionId, 'Read.').catch(() => undefined);
  await editor.until(({ method }) => method === 'fs/read_text_file');
  await editor.kill();
  await expect.poll(() => answers().length, patient).toBe(2);
  const [first, second] = answers();
  expect(first.content).toContain('it disconnected');
  expect(second.content).toContain('saved');
});

test('does not apply an edit after its editor has exited', async () => {
  const path = await file('decided.txt', 'saved\n');
  const editor = startEditor({
    home,
    workspace,
    capabilities: both,
    answer: ({ method }) => (method === 'fs/read_text_file' ? { content: 'held\n' } : new Promise(() => undefined)),
  });
  await editor.initialize();
  const sessionId = await editor.newSession();
  await editor.request('session/set_mode', { sessionId, modeId: 'careful' });
  script(call('edit_file', { path: 'decided.txt', edits: [{ search: 'held', replace: 'mine' }] }));
  void editor.prompt(sessionId, 'Edit.').catch(() => undefined);
  const permission = await editor.until(({ method }) => method === 'session/request_permission');
  expect(JSON.stringify(permission.params)).toContain('mine');
  await editor.kill();
  const { approvals } = await (await api(`/api/pending?chatId=${sessionId}`)).json();
  await api('/api/approve', { method: 'POST', body: JSON.stringify({ approvalId: approvals[0].approvalId, decision: 'approve' }) });
  await expect.poll(() => result(), patient).toContain('disconnected after the decision');
  expect(await readFile(path, 'utf8')).toBe('saved\n');
});

test('asks before reading outside the workspace, resolves symbolic links and reads additional directories via the editor', async () => {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'acp-files-out-')));
  await writeFile(join(outside, 'out.txt'), 'outside\n');
  await symlink(join(outside, 'out.txt'), join(workspace, 'link.txt'));
  const editor = await open({ [join(outside, 'out.txt')]: 'never given', [join(workspace, 'link.txt')]: 'never given' });
  const sessionId = await editor.newSession();
  script(call('read_file', { path: 'link.txt' }));
  await editor.prompt(sessionId, 'Read.');
  expect(asked(editor, 'session/request_permission')).toHaveLength(1);
  expect(asked(editor, 'fs/read_text_file')).toEqual([]);
  expect(result()).toContain('outside');
  const second = await editor.newSession({ additionalDirectories: [outside] });
  script(call('read_file', { path: join(outside, 'out.txt') }));
  await editor.prompt(second, 'Read.');
  expect(asked(editor, 'session/request_permission')).toHaveLength(2);
  expect(result()).toContain('never given');
  await rm(outside, { recursive: true, force: true });
});

test('requests a file by the path of the link that the editor opened', async () => {
  const link = `${workspace}-link`;
  await symlink(workspace, link);
  await file('named.txt', 'saved\n');
  const editor = await open({ [join(link, 'named.txt')]: 'held by its name' });
  const sessionId = await editor.newSession({ cwd: link });
  script(call('read_file', { path: 'named.txt' }));
  await editor.prompt(sessionId, 'Read.');
  expect(result()).toContain('held by its name');
  await rm(link);
});

test('does not overwrite unsaved changes of a read-only editor client', async () => {
  const path = await file('given.txt', 'saved\r\n');
  const buffers = { [path]: 'not saved\n' };
  const editor = await open(buffers, { capabilities: { fs: { readTextFile: true } } });
  const sessionId = await editor.newSession();
  script(call('edit_file', { path: 'given.txt', edits: [{ search: 'not', replace: 'now' }] }));
  await editor.prompt(sessionId, 'Edit.');
  expect(result()).toContain('unsaved changes');
  expect(await readFile(path, 'utf8')).toBe('saved\r\n');
  // Different line endings are not a change.
  buffers[path] = 'saved\n';
  script(call('edit_file', { path: 'given.txt', edits: [{ search: 'saved', replace: 'edited' }] }));
  await editor.prompt(sessionId, 'Edit.');
  expect(await readFile(path, 'utf8')).toBe('edited\r\n');
  expect(asked(editor, 'fs/write_text_file')).toEqual([]);
});

test('reads non-UTF-8 and oversized files from the disk with a note', async () => {
  await writeFile(join(workspace, 'wide.txt'), Buffer.from('\uFEFFwide', 'utf16le'));
  await mkdir(join(workspace, 'large'), { recursive: true });
  await file('large/large.txt', 'line\n'.repeat(1_000_000));
  const editor = await open({});
  const sessionId = await editor.newSession();
  script(call('read_file', { path: 'wide.txt' }), call('read_file', { path: 'large/large.txt', limit: 2 }));
  await editor.prompt(sessionId, 'Read.');
  expect(result(-2)).toContain('asked for UTF-8 only');
  expect(result()).toContain('too large to ask');
  expect(asked(editor, 'fs/read_text_file')).toEqual([]);
});

test('requires the owner token for the editor connection and closes it on malformed messages', async () => {
  const address = `${server.url.replace('http', 'ws')}/api/editor`;
  const closed = async (headers: Record<string, string>, text?: string): Promise<string> => {
    const socket = new WebSocket(address, { headers });
    if (text !== undefined) socket.on('open', () => socket.send(text));
    return new Promise((resolve) => {
      socket.on('close', (code) => resolve(String(code)));
      socket.on('error', ({ message }) => resolve(message));
    });
  };
  expect(await closed({ authorization: 'Bearer wrong-token-of-32-characters-xxxx' })).toContain('401');
  const owner = { authorization: `Bearer ${server.token}` };
  for (const text of ['no JSON', '{}', '{"lead":"","reads":true,"writes":true,"folders":[]}', '{"reply":0,"text":""}'])
    expect(await closed(owner, text)).toBe('4400');
});
