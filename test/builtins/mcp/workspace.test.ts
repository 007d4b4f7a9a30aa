import { randomUUID } from 'node:crypto';
import { mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startScriptedModel, type ScriptedModel } from '../../helpers/scripted-model.ts';
import { expectNobodyWith, hostile, processesWith, startMcp, type McpHarness } from './mcp-parts.ts';

let mcp: McpHarness;
let model: ScriptedModel;
let mark: string;
let root: string;
beforeEach(async () => {
  mark = randomUUID();
  model = await startScriptedModel(() => ({ text: 'Done.' }));
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

/** As a person would, who saw exactly this. */
async function decide(isTrusted: boolean): Promise<void> {
  const trust = mcp.kernel.resolve('trust');
  const row = (await trust.rows(root)).find(({ name }) => name === 'mcp-servers');
  await trust.decide(root, 'mcp-servers', row?.digest ?? '', isTrusted);
}

test('what a workspace would start is shown exactly, and nothing of it runs before it is trusted', async () => {
  await writeConfig([hostile, 'normal', mark, 'two words', '\u202etxt']);
  await runTurn();
  const row = (await mcp.kernel.resolve('trust').rows(root)).find(({ name }) => name === 'mcp-servers');
  expect(row).toMatchObject({ title: '1 MCP server', isTrusted: false });
  expect(row?.detail).toBe(`own: ${process.execPath} ${hostile} normal ${mark} "two words" "\\u202etxt" (env: MODE="test")`);
  expect(await mcp.connection(label())).toMatchObject({ kind: 'mcp', status: 'needs_trust', toolCount: 0 });
  expect(await processesWith(mark)).toEqual([]);
  expect(ownTools()).toEqual([]);
});

test('after trust its tools are there, for chats with that workspace only', async () => {
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

test('taking the trust back, or another content, ends its servers', async () => {
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

test('a trusted server is known again after a start, without running', async () => {
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
  ['no JSON', '{'],
  ['no servers', '{"mcpServers":[]}'],
  ['a name that is none', '{"mcpServers":{"../x":{"command":"x"}}}'],
  ['an address that is no http', '{"mcpServers":{"x":{"url":"file:///etc/passwd"}}}'],
  ['a header that cannot be one', '{"mcpServers":{"x":{"url":"https://mcp.example/","headers":{"host":"evil"}}}}'],
])('a file with %s brings nothing', async (_, text) => {
  await writeFile(join(root, '.mcp.json'), text);
  await runTurn();
  expect((await mcp.kernel.resolve('trust').rows(root)).filter(({ name }) => name === 'mcp-servers')).toEqual([]);
});

test('a link to a file elsewhere is not read', async () => {
  const elsewhere = await mkdtemp(join(tmpdir(), 'mcp-link-'));
  await writeFile(join(elsewhere, 'x.json'), '{"mcpServers":{"x":{"command":"x"}}}');
  await symlink(join(elsewhere, 'x.json'), join(root, '.mcp.json'));
  await runTurn();
  expect((await mcp.kernel.resolve('trust').rows(root)).filter(({ name }) => name === 'mcp-servers')).toEqual([]);
  await rm(elsewhere, { recursive: true });
});
