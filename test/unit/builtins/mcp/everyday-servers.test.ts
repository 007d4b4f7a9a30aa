// Tests everyday use of MCP servers: files of other clients, slow first starts, changing lists and the command line.
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { findWorkspaceServers, readWorkspaceFile } from '../../../../builtins/connections/mcp/saved/workspace-file.ts';
import { runCommandLine } from '../../../helpers/command-line.ts';
import { expectNobodyWith, hostile, startMcp, type McpHarness } from './mcp-parts.ts';

let mcp: McpHarness;
let mark: string;
beforeEach(async () => {
  mark = randomUUID();
  mcp = await startMcp({ builtins: ['mcp', 'mcp-server'], environment: { AGENT_MCP_START_MS: '1000' } });
});
afterEach(async () => {
  expect(await mcp.close()).toEqual([]);
  await expectNobodyWith(mark);
  vi.unstubAllEnvs();
});

const put = (mcpServers: object): Promise<void> => writeFile(join(mcp.workspace, '.mcp.json'), JSON.stringify({ mcpServers }));

test('normalizes names, converts numbers and booleans to text, and reports unused entries with a reason', async () => {
  await put({
    GitHub: { command: 'node', args: ['server.js', 8080, true], env: { PORT: 3000, KEY: 'k' } },
    'my.server': { type: 'http', url: 'https://mcp.example/mcp', headers: { 'x-count': 7 } },
    'my~server': { command: 'node' },
    '9lives': { command: 'node' },
    off: { command: 'node', disabled: true },
    both: { command: 'node', url: 'https://x.example' },
    'odd-args': { command: 'node', args: ['a', { b: 1 }] },
    'odd-env': { command: 'node', env: { A: null } },
    none: 'node',
  });
  const file = await readWorkspaceFile(mcp.workspace);
  expect([...(file?.servers ?? [])].map(([name]) => name)).toEqual(['github', 'my-server']);
  expect(file?.servers.get('github')).toMatchObject({ command: 'node', args: ['server.js', '8080', 'true'], env: { PORT: '3000', KEY: 'k' } });
  expect(file?.servers.get('my-server')).toMatchObject({ url: 'https://mcp.example/mcp', headers: { 'x-count': '7' } });
  expect(Object.fromEntries((file?.omitted ?? []).map(({ name, why }) => [name, why]))).toEqual({
    'my~server': 'another entry also has the name my-server.',
    '9lives': 'its name must begin with a letter.',
    off: 'it is disabled.',
    both: 'Set either url or command.',
    'odd-args': 'args has an item at 2 that is not a text.',
    'odd-env': 'env has a value at A that is not a text.',
    none: 'it is not an object.',
  });
  for (const { name } of file?.omitted ?? []) expect(file?.detail).toContain(`${/[~ ]/.test(name) ? JSON.stringify(name) : name} is not used: `);
});

test('expands variables at the start, lists their names, and omits a server whose variable is not set', async () => {
  vi.stubEnv('MCP_TEST_TOKEN', 'very secret');
  await put({
    one: { command: 'node', args: ['${MCP_TEST_PLACE:-here}'], env: { TOKEN: '${MCP_TEST_TOKEN}' } },
    two: { command: 'node', args: ['${MCP_TEST_UNSET}'] },
    three: { url: 'https://x.example/${AGENT_API_KEY:-x}' },
  });
  const file = await readWorkspaceFile(mcp.workspace);
  expect(file?.servers.get('one')).toMatchObject({ args: ['here'], env: { TOKEN: 'very secret' } });
  expect(file?.detail).toContain('with the values of MCP_TEST_PLACE, MCP_TEST_TOKEN from the environment');
  expect(file?.detail).not.toContain('very secret');
  expect(file?.omitted).toEqual([
    { name: 'three', why: 'AGENT_API_KEY is a variable of this program, which servers do not receive.' },
    { name: 'two', why: 'the variable MCP_TEST_UNSET is not set in the environment of the server.' },
  ]);
  const { digest } = file ?? {};
  vi.stubEnv('MCP_TEST_TOKEN', 'another one');
  expect((await readWorkspaceFile(mcp.workspace))?.digest).toBe(digest);
});

test('a file without usable entries requires no trust and reports the reason', async () => {
  await put({ off: { command: 'node', disabled: true } });
  expect(await findWorkspaceServers(mcp.workspace)).toBeUndefined();
  await writeFile(join(mcp.workspace, '.mcp.json'), '{');
  expect((await readWorkspaceFile(mcp.workspace))?.omitted).toEqual([{ name: '.mcp.json', why: 'the file is not a JSON object.' }]);
});

test('a slow first start continues, and its tools are added when it is ready', async () => {
  const go = join(mcp.home, 'go');
  const { status, body } = await mcp.add({ name: 'own', command: process.execPath, args: [hostile, 'slow', mark, go] });
  expect([status, body.toolCount, body.error]).toEqual([200, 0, expect.stringContaining('still starting')]);
  expect(await mcp.connection('own')).toMatchObject({ status: 'connecting' });
  await writeFile(go, '');
  await expect.poll(() => mcp.toolsOf('own'), { timeout: 10_000 }).toContain('own_hello');
  expect(await mcp.run('own_hello')).toMatchObject({ ok: true, output: 'hello' });
});

test('a tool that a call adds is available with the result of that call', async () => {
  await mcp.add({ name: 'own', command: process.execPath, args: [hostile, 'normal', mark] });
  await mcp.run('own_hello');
  expect(mcp.toolsOf('own')).not.toContain('own_grown');
  expect(await mcp.run('own_grow')).toMatchObject({ ok: true });
  expect(mcp.toolsOf('own')).toContain('own_grown');
});

test('adds, lists, tests and removes servers on the command line', async () => {
  const app = async (...words: readonly string[]): Promise<[number, string]> => {
    const { code, stdout, stderr } = await runCommandLine(mcp.kernel, ['mcp', ...words]);
    return [code, stdout + stderr];
  };
  expect(await app('list')).toEqual([0, 'No MCP server is set up.\n']);
  const [added, said] = await app('add', 'own', '--env', 'A=b=c', '--', process.execPath, hostile, 'normal', mark);
  expect(added).toBe(0);
  expect(said).toMatch(/^own: \d+ tools: hello, /);
  expect((await app('list'))[1]).toMatch(/^own connected \d+ tools/);
  expect((await app('test', 'own'))[1]).toMatch(/^own: \d+ tools: hello, /);
  expect(await app('remove', 'own')).toEqual([0, 'own was removed.\n']);
  expect((await app('test', 'own'))[0]).toBe(1);
  const [code, why] = await app('add', 'bad', '--', process.execPath, hostile, 'exit', mark);
  expect([code, why]).toEqual([1, expect.stringContaining('There is no configuration')]);
  for (const words of ['add x', 'remove', 'list x', 'test a b', 'frob x', 'add x https://a b', 'add x y --header a:b', 'add x y --env a'])
    expect((await app(...words.split(' ')))[0], words).toBe(2);
});
