import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startScriptedModel, type ScriptedModel, type ScriptedReply } from '../../helpers/scripted-model.ts';
import { findNamedFiles } from '../../../builtins/connections/mcp/saved/named-files.ts';
import { expectNobodyWith, hostile, processesWith, startMcp, type McpHarness } from '../../unit/builtins/mcp/mcp-parts.ts';

let mcp: McpHarness;
let model: ScriptedModel;
let mark: string;
let root: string;
let replies: ScriptedReply[];
beforeEach(async () => {
  mark = randomUUID();
  replies = [];
  model = await startScriptedModel(() => replies.shift() ?? { text: 'Done.' });
  const environment = { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'x', AGENT_MODEL: 'test-model', AGENT_API_WIRE: 'chat-completions' };
  mcp = await startMcp({ builtins: ['mcp', 'model-chat-completions'], environment });
  root = await realpath(mcp.workspace);
});
afterEach(async () => {
  expect(await mcp.close()).toEqual([]);
  await model.close();
  await expectNobodyWith(mark);
});

const writeConfig = (args: readonly string[] = [hostile, 'normal', mark], name = 'own') =>
  writeFile(join(root, '.mcp.json'), JSON.stringify({ mcpServers: { [name]: { command: process.execPath, args, env: { MODE: 'test' } } } }));
const label = (name = 'own'): string => `${name} (${root})`;
const ownTools = (): string[] =>
  mcp.kernel
    .resolve('tools')
    .list()
    .filter((row) => row.family.startsWith('mcp-own-'))
    .map((row) => row.name);

async function runTurn(): Promise<void> {
  const { body } = await mcp.call('POST', '/api/message', { text: 'hi' });
  await mcp.kernel.resolve('turns').ended(body.turnId);
}

async function decide(isTrusted: boolean): Promise<void> {
  const trust = mcp.kernel.resolve('trust');
  const row = (await trust.rows(root)).find(({ name }) => name === 'mcp-servers');
  await trust.decide(root, 'mcp-servers', row?.digest ?? '', isTrusted);
}

test('shows the exact command of a workspace server and starts nothing before it is trusted', async () => {
  await writeConfig([hostile, 'normal', mark, 'two words', '\u202etxt']);
  await runTurn();
  const row = (await mcp.kernel.resolve('trust').rows(root)).find(({ name }) => name === 'mcp-servers');
  expect(row).toMatchObject({ title: '1 MCP server', isTrusted: false });
  expect(row?.detail).toBe(`own: ${process.execPath} ${hostile} normal ${mark} "two words" "\\u202etxt" (env: MODE="test")`);
  expect(await mcp.connection(label())).toMatchObject({ kind: 'mcp', status: 'needs_trust', toolCount: 0 });
  expect(await processesWith(mark)).toEqual([]);
  expect(ownTools()).toEqual([]);
});

test('provides the tools of a trusted server only to chats in its workspace', async () => {
  await writeConfig();
  await runTurn();
  await decide(true);
  await expect.poll(ownTools).toContain('own_hello');
  expect(await mcp.run('own_hello', {}, { workspaceRoot: root })).toMatchObject({ ok: true, output: 'hello' });
  expect(await mcp.run('own_hello', {}, { workspaceRoot: tmpdir() })).toMatchObject({
    ok: false,
    error: expect.stringContaining('belongs to another workspace'),
  });
  expect(await mcp.connection(label())).toMatchObject({ status: 'connected' });
});

test('ends servers when trust is revoked or the configuration changes', async () => {
  await writeConfig();
  await runTurn();
  await decide(true);
  await expect.poll(ownTools).toContain('own_hello');
  await mcp.run('own_hello', {}, { workspaceRoot: root });
  expect(await processesWith(mark)).toHaveLength(1);
  await writeConfig([hostile, 'normal', mark, 'more']);
  await runTurn();
  expect(ownTools()).toEqual([]);
  await expectNobodyWith(mark);
  await decide(true);
  await expect.poll(ownTools).toContain('own_hello');
  await decide(false);
  expect(ownTools()).toEqual([]);
  expect(await mcp.connection(label())).toMatchObject({ status: 'needs_trust' });
});

test('restores the tools of a trusted server after a restart without starting it', async () => {
  await writeConfig();
  await runTurn();
  await decide(true);
  await expect.poll(ownTools).toContain('own_hello');
  await expectNobodyWith(mark);
  const { home, workspace } = mcp;
  await mcp.close({ keepFiles: true });
  mcp = await startMcp({
    home,
    workspace,
    builtins: ['mcp', 'model-chat-completions'],
    environment: { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'x', AGENT_MODEL: 'm', AGENT_API_WIRE: 'chat-completions' },
  });
  await runTurn();
  expect(ownTools()).toContain('own_hello');
  expect(await processesWith(mark)).toEqual([]);
  await Promise.all([rm(home, { recursive: true, force: true }), rm(workspace, { recursive: true, force: true })]);
});

test.each([
  ['invalid JSON', '{'],
  ['no servers', '{"mcpServers":[]}'],
  ['an invalid name', '{"mcpServers":{"../x":{"command":"x"}}}'],
  ['an address that is not HTTP', '{"mcpServers":{"x":{"url":"file:///etc/passwd"}}}'],
  ['an invalid header', '{"mcpServers":{"x":{"url":"https://mcp.example/","headers":{"host":"evil"}}}}'],
])('ignores a file with %s', async (_, text) => {
  await writeFile(join(root, '.mcp.json'), text);
  await runTurn();
  expect((await mcp.kernel.resolve('trust').rows(root)).filter(({ name }) => name === 'mcp-servers')).toEqual([]);
});

test('does not follow a symbolic link to an external file', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'mcp-link-'));
  await writeFile(join(elsewhere, 'x.json'), '{"mcpServers":{"x":{"command":"x"}}}');
  await symlink(join(elsewhere, 'x.json'), join(root, '.mcp.json'));
  await runTurn();
  expect((await mcp.kernel.resolve('trust').rows(root)).filter(({ name }) => name === 'mcp-servers')).toEqual([]);
  await rm(elsewhere, { recursive: true });
});

async function writeOwnServer(): Promise<void> {
  await writeFile(join(root, 'srv.mjs'), "import './lib.mjs';\n");
  await writeFile(join(root, 'lib.mjs'), `await import(${JSON.stringify(pathToFileURL(hostile).href)});\n`);
  await writeConfig(['srv.mjs', 'normal', mark]);
}

test.each(['srv.mjs', 'lib.mjs'])('requests trust again and starts nothing after a change of the trusted file %s', async (file) => {
  await writeOwnServer();
  await runTurn();
  const row = (await mcp.kernel.resolve('trust').rows(root)).find(({ name }) => name === 'mcp-servers');
  expect(row?.detail).toContain('\n  with the contents of lib.mjs, srv.mjs');
  await decide(true);
  await expect.poll(ownTools).toContain('own_hello');
  await expectNobodyWith(mark);
  const mine = join(root, 'started');
  await writeFile(join(root, file), `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(mine)}, '');\n`);
  expect(await mcp.run('own_hello', {}, { workspaceRoot: root })).toMatchObject({
    ok: false,
    error: expect.stringContaining('changed since they were trusted'),
  });
  await expect.poll(() => mcp.connection(label())).toMatchObject({ status: 'needs_trust' });
  await runTurn();
  expect(ownTools()).toEqual([]);
  expect(existsSync(mine)).toBe(false);
});

test('ends a running server with the turn after its file changed', async () => {
  await writeOwnServer();
  await runTurn();
  await decide(true);
  await expect.poll(ownTools).toContain('own_hello');
  await mcp.run('own_hello', {}, { workspaceRoot: root });
  expect(await processesWith(mark)).toHaveLength(1);
  await writeFile(join(root, 'lib.mjs'), '// nothing\n');
  await runTurn();
  await expectNobodyWith(mark);
  expect(await mcp.connection(label())).toMatchObject({ status: 'needs_trust' });
});

test('asks before a file tool writes to a trusted file, by any of its paths', async () => {
  await mcp.close();
  const environment = { AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'x', AGENT_MODEL: 'test-model', AGENT_API_WIRE: 'chat-completions' };
  mcp = await startMcp({ builtins: ['mcp', 'files', 'checkpoints', 'model-chat-completions'], environment });
  root = await realpath(mcp.workspace);
  await writeOwnServer();
  await symlink('srv.mjs', join(root, 'alias.mjs'));
  await runTurn();
  const reasons: string[] = [];
  const approvals = mcp.kernel.resolve('approvals');
  mcp.kernel.emitter.on('tool_approval', ({ approvalId, reason }) => {
    reasons.push(reason);
    setImmediate(() => void approvals.decide(approvalId, { decision: 'reject' }));
  });
  const write = async (path: string): Promise<void> => {
    replies.push({ toolCalls: [{ name: 'write_file', args: { path, content: '// other' } }] });
    await runTurn();
  };
  await write('notes.txt');
  await write('lib.mjs');
  expect(reasons).toEqual([]);
  await writeOwnServer();
  await decide(true);
  await write('notes.txt');
  for (const path of ['srv.mjs', './lib.mjs', join(root, 'alias.mjs')]) await write(path);
  expect(reasons).toEqual(['srv.mjs', 'lib.mjs', 'srv.mjs'].map((file) => `The call writes ${file}, whose content you trusted (1 MCP server).`));
});

test.each([
  ['npm start', 'npm', ['start'], ['package.json']],
  ['a folder', 'node', ['tools'], ['tools/index.mjs', 'tools/package.json']],
  ['an option', 'node', ['--import=./hook.mjs', '-r./early.cjs', 'run'], ['early.cjs', 'hook.mjs', 'run.js']],
  ['a shell', 'sh', ['-c', 'PORT=1 exec node "run.js"'], ['run.js']],
  ['a Python module', 'python3', ['-m', 'serve.main'], ['serve/lib.py', 'serve/main.py']],
  ['a program in the folder', './bin/serve', [], ['bin/serve']],
  ['files outside the folder', 'node', ['../outside.js', '/etc/hostname'], []],
])('finds the files named by %s', async (_, command, args, expected) => {
  const files: Record<string, string> = { 'serve/main.py': 'from .lib import x\n', 'serve/lib.py': '', 'tools/index.mjs': '', 'bin/serve': '#!/bin/sh\n' };
  for (const name of ['package.json', 'tools/package.json', 'hook.mjs', 'early.cjs', 'run.js']) files[name] = '';
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  const found = await findNamedFiles({ kind: 'command', command, args, env: {}, timeoutMs: 1 }, root);
  expect(found.map(({ shown }) => shown)).toEqual(expected);
});
