// Tests the built program with one call of each kind of tool whose code and packages load lazily.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDesktopSocket } from '../../helpers/desktop-socket.ts';
import { openEventStream } from '../../helpers/event-stream.ts';
import { oldCodexId, plantCodex } from '../../helpers/foreign-homes.ts';
import { findBrowser } from '../../helpers/browser.ts';
import { useServer, type ServerWorld } from '../../helpers/use-server.ts';
import { type ScriptedRequest } from '../../helpers/scripted-model.ts';
import { root } from '../../helpers/sources.ts';
import { makePdf } from '../../helpers/make-pdf.ts';

let site: Server;
let origin: string;
let { home, workspace, model, server } = {} as ServerWorld;
useServer((world) => void ({ home, workspace, model, server } = world), {
  environment: ({ workspace: folder }) => ({
    ...{ AGENT_WEB_FETCH_ALLOWED_HOSTS: '127.0.0.1', AGENT_BROWSER_ALLOWED_HOSTS: '127.0.0.1', AGENT_VAULT_PATH: folder },
  }),
});
beforeAll(async () => {
  model.play(() => ({ text: 'Done.' }));
  site = createServer((_, reply) => reply.setHeader('content-type', 'text/html').end(`<title>Tea</title><article><h1>Tea</h1><p>${'Tea is a drink. '.repeat(40)}</p></article>`)); // prettier-ignore
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(site.address() as { port: number }).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => site.close(resolve));
});

/** Runs one tool in a turn of the active chat and approves it. */
async function run(name: string, args: object): Promise<{ ok: boolean; output: string }> {
  const stream = await openEventStream(server);
  const { turnId, chatId } = (await server.call('POST', '/api/message', { text: `/call ${name} ${JSON.stringify(args)}` })).body;
  const ended = (event: any): boolean => event.turnId === turnId && event.kind === 'turn_end';
  const next = await stream.until((event: any) => ended(event) || (event.turnId === turnId && event.kind === 'tool_approval'));
  if (next.kind === 'tool_approval') await server.call('POST', '/api/approve', { approvalId: next['approvalId'], decision: 'approve' });
  await stream.until(ended);
  stream.close();
  const { entries } = (await server.call('GET', `/api/chats/${chatId}/transcript`)).body;
  const entry = entries.findLast((one: any) => one.turnId === turnId && (one.kind === 'tool' || one.kind === 'assistant'));
  return { ok: entry.ok === true, output: entry.output ?? entry.text };
}
const expectOutput = async (name: string, args: object, part: string | RegExp): Promise<void> =>
  expect(await run(name, args), name).toEqual({ ok: true, output: part instanceof RegExp ? expect.stringMatching(part) : expect.stringContaining(part) });

// Runs first: notes of a turn that read external content or an untrusted folder need approval.
test('remembers notes and searches the vault', async () => {
  await expectOutput('remember', { key: 'drink', value: 'Tea, green.' }, 'drink');
  await expectOutput('recall', { key: 'drink' }, 'Tea, green.');
  await expectOutput('vault_write', { title: 'Green tea', content: 'Not too hot.' }, 'Green tea.md');
  await expectOutput('vault_search', { query: 'green tea' }, 'Green tea');
});

// late: diff
test('writes and patches files, and reads PDFs and notebooks as text', async () => {
  await writeFile(join(workspace, 'paper.pdf'), makePdf(['Tea and water']));
  const cell = { cell_type: 'code', source: ['print(1)'], outputs: [], metadata: {}, execution_count: 1 };
  await writeFile(join(workspace, 'n.ipynb'), JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] }));
  await expectOutput('write_file', { path: 'a.txt', content: 'one\n' }, 'a.txt');
  await expectOutput('edit_file', { path: 'a.txt', edits: [{ search: 'one', replace: 'two' }] }, 'a.txt');
  await expectOutput('read_file', { path: 'paper.pdf' }, 'Tea and water');
  await expectOutput('read_file', { path: 'n.ipynb' }, 'print(1)');
  await expectOutput('grep_files', { pattern: 'two' }, 'a.txt');
  await expectOutput('run_command', { command: 'echo out' }, 'out');
});

// late: fzstd, smol-toml
test('imports a compressed Codex session and lists the servers of its configuration', async () => {
  plantCodex(home, workspace);
  expect((await server.call('GET', '/api/import/codex')).body.servers).toMatchObject([{ name: 'lamps' }]);
  expect((await server.call('POST', `/api/import/codex/sessions/${oldCodexId}`, {})).body).toMatchObject({ isNew: true, turns: 1 });
});

// late: playwright-core
test('reads a web page as an article and in a browser', async ({ skip }) => {
  await expectOutput('web_fetch', { url: `${origin}/tea` }, '# Tea');
  if (findBrowser() === undefined && process.env['CI'] === undefined) skip('there is no browser');
  await expectOutput('browser_open', { url: `${origin}/tea` }, 'heading "Tea"');
});

// late: light-my-request
test('answers commands over the desktop WebSocket', async () => {
  const socket = await openDesktopSocket(server);
  expect(await socket.ask('status')).toMatchObject({ ok: true, status: 200, data: { clients: 1 } });
  expect(await socket.ask('send_message', { text: 7 })).toMatchObject({ ok: false, status: 400, error: { code: 'invalid_request' } });
  socket.close();
});

test('runs a task and updates the plan', async () => {
  await expectOutput('spawn_task', { goal: 'Say that you are done.' }, 'Done.');
  await expectOutput('update_plan', { items: [{ text: 'one', status: 'active' }] }, 'one');
});

test('connects an OpenAPI document in YAML and an MCP server', async () => {
  const spec = `openapi: 3.1.0\ninfo: {title: Tea, version: '1'}\nservers: [{url: '${origin}'}]\npaths:\n  /tea:\n    get: {operationId: getTea, responses: {'200': {description: ok}}}\n`;
  expect((await server.call('POST', '/api/integrations/openapi', { name: 'tea', spec, baseUrl: origin })).body).toMatchObject({ ok: true, toolCount: 1 });
  await expectOutput('tea_get_tea', {}, 'Tea is a drink');
  const program = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
  expect((await server.call('POST', '/api/integrations/mcp', { name: 'all', command: process.execPath, args: [program, 'stdio'] })).body).toMatchObject({
    ok: true,
  });
  await expectOutput('all_echo', { message: 'hello' }, 'hello');
});

test('serves chats and tools of the running server with app mcp', async () => {
  const request = (id: number, method: string, params: object): string => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  const asked = promisify(execFile)(process.execPath, [join(root, 'dist/main.mjs'), 'mcp'], {
    cwd: workspace,
    env: { PATH: process.env['PATH'], HOME: home, APP_HOME: home },
    timeout: 30_000,
  });
  let printed = '';
  asked.child.stdout?.on('data', (text: string) => {
    printed += text;
    if (printed.includes('"id":3')) asked.child.stdin?.end();
  });
  asked.child.stdin?.write(request(1, 'initialize', hello) + request(2, 'tools/list', {}) + request(3, 'tools/call', { name: 'list_dir', arguments: {} }));
  const { stdout } = await asked;
  const replies = stdout.trim().split('\n').map((line) => JSON.parse(line)); // prettier-ignore
  expect(replies.find(({ id }) => id === 2).result.tools.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['send_message', 'list_dir', 'web_fetch'])); // prettier-ignore
  expect(replies.find(({ id }) => id === 3).result).toMatchObject({ content: [{ type: 'text' }] });
  expect(await readFile(join(home, 'server.json'), 'utf8')).toContain(String(server.pid));
});

// late: jsonrepair
test('creates a persona from a malformed JSON answer', async () => {
  const isFor = (words: string) => (request: ScriptedRequest) => JSON.stringify(request.body.messages).includes(words);
  model.push({ text: "{label: 'Dry', summary: 'Dry and short.',}", when: isFor('describes their assistant') });
  model.push({ text: "{rails: 'No jokes in warnings.', voice: 'Short.'", when: isFor('You write the persona'), always: true });
  const stream = await openEventStream(server, { chatId: 'all' });
  await server.call('POST', '/api/persona/bootstrap', { input: 'Dry.' });
  await stream.until((event) => event.kind === 'persona_progress' && ['done', 'failed'].includes(event['stage']));
  stream.close();
  const { label, slices } = (await server.call('GET', '/api/persona')).body;
  expect([label, slices.find(({ name }: any) => name === 'voice').text]).toEqual(['Dry', 'Short.']);
});
