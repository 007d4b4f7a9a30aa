// Tests a server of the revision 2026-07-28: no handshake, no session, and replies that request input.
import type { IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { answerQuestions, startMcp, type McpHarness } from './mcp-parts.ts';
import { startLocalServer } from '../../../helpers/local-server.ts';

interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly message: any;
}

const version = '2026-07-28';
let mcp: McpHarness;
let url: string;
let seen: Seen[];
let asStream: boolean;
let more: object[];
let judge: (headers: IncomingHttpHeaders) => string | undefined;
beforeEach(async () => {
  seen = [];
  asStream = false;
  more = [];
  judge = () => undefined;
  mcp = await startMcp();
  const server = await startLocalServer((request, reply) => {
    if (request.method !== 'POST') return void reply.writeHead(405).end();
    void text(request).then((body) => {
      const message = JSON.parse(body);
      seen.push({ headers: request.headers, message });
      const { status = 200, ...said } = answer(request.headers, message);
      const json = JSON.stringify({ jsonrpc: '2.0', id: message.id, ...said });
      const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } });
      if (asStream && status === 200) reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${note}\n\ndata: ${json}\n\n`);
      else reply.writeHead(status, { 'content-type': 'application/json' }).end(json);
    });
  });
  url = `${server.url}/mcp`;
});
function answer(headers: IncomingHttpHeaders, { method, params }: any): { status?: number; result?: object; error?: object } {
  if (headers['mcp-protocol-version'] === undefined) return { status: 400, error: { code: -32020, message: 'Missing MCP-Protocol-Version header' } };
  if (params._meta?.['io.modelcontextprotocol/protocolVersion'] !== version) return { status: 400, error: { code: -32602, message: 'no version' } };
  if (method === 'server/discover') return { result: { resultType: 'complete', supportedVersions: [version], capabilities: { tools: {} } } };
  if (method === 'tools/list')
    return { result: { resultType: 'complete', tools: [...['plain', 'asking'].map((name) => ({ name, inputSchema: { type: 'object' } })), ...more] } };
  if (method !== 'tools/call') return { status: 404, error: { code: -32601, message: 'Method not found' } };
  const fault = judge(headers);
  if (fault !== undefined) return { status: 400, error: { code: -32020, message: fault } };
  if (params.name !== 'asking' || params.inputResponses)
    return { result: { content: [{ type: 'text', text: JSON.stringify(params.inputResponses ?? 'hello') }] } };
  const requestedSchema = { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] };
  return {
    result: {
      resultType: 'input_required',
      inputRequests: { sure: { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema } }, where: { method: 'roots/list' } },
      requestState: 'state of its own',
    },
  };
}

test.each([false, true])('sends no handshake and identifies the client in each request (as a stream: %s)', async (isStream) => {
  asStream = isStream;
  expect((await mcp.add({ name: 'web', url })).body).toMatchObject({ ok: true, toolCount: 2 });
  expect(await mcp.run('web_plain')).toMatchObject({ ok: true, output: '"hello"' });
  // Once for the list of tools, once for the workspace of the call.
  expect(seen.map(({ message }) => message.method)).toEqual([...['server/discover', 'tools/list'], ...['server/discover', 'tools/list', 'tools/call']]);
  for (const { headers, message } of seen) {
    expect(headers).toMatchObject({ 'mcp-protocol-version': version, 'mcp-method': message.method });
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(message.params._meta).toMatchObject({
      'io.modelcontextprotocol/clientInfo': { name: 'app' },
      'io.modelcontextprotocol/clientCapabilities': { roots: {}, elicitation: { form: {} } },
    });
  }
  expect(seen.at(-1)?.headers['mcp-name']).toBe('plain');
});

test('sends the requested input with the state of the server in a new request', async () => {
  await mcp.add({ name: 'web', url });
  const asking = answerQuestions(mcp, (_, options) => options[0] ?? '');
  expect(await mcp.run('web_asking')).toMatchObject({
    ok: true,
    output: JSON.stringify({
      sure: { action: 'accept', content: { sure: true } },
      where: { roots: [{ uri: `file://${(await mcp.kernel.resolve('chats').active()).workspaceRoot}`, name: 'workspace' }] },
    }),
  });
  asking.stop();
  const [first, second] = seen.slice(-2);
  expect(second?.message.params.requestState).toBe('state of its own');
  expect(second?.message.id).not.toBe(first?.message.id);
});

function wanting(name: string, properties: object): object {
  return { name, inputSchema: { type: 'object', properties } };
}

function paramHeaders({ headers }: Seen): object {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-')));
}

test('copies arguments to the headers that a tool declares, and hides the declaration from the model', async () => {
  const text = { type: 'string', 'x-mcp-header': 'Region' };
  const where = { type: 'object', properties: { limit: { type: ['integer', 'null'], 'x-mcp-header': 'LIMIT' } } };
  more = [wanting('wanting', { region: text, where, sure: { type: 'boolean', 'x-mcp-header': 'Sure' }, free: { type: 'string' } })];
  await mcp.add({ name: 'web', url });
  const sent = async (args: object): Promise<object> => {
    expect(await mcp.run('web_wanting', args)).toMatchObject({ ok: true });
    expect(seen.at(-1)?.message.params.arguments).toEqual(args);
    return paramHeaders(seen.at(-1) as Seen);
  };
  expect(await sent({ region: 'us west', where: { limit: -7 }, sure: false, free: 'x' })).toEqual({
    'mcp-param-region': 'us west',
    'mcp-param-limit': '-7',
    'mcp-param-sure': 'false',
  });
  expect(await sent({ where: { limit: null } })).toEqual({});
  for (const region of ['Hello, 世界', ' padded ', 'one\r\nx-other: two', '\ttab', '=?base64?literal?='])
    expect(await sent({ region })).toEqual({ 'mcp-param-region': `=?base64?${Buffer.from(region).toString('base64')}?=` });
  expect(await sent({ region: '' })).toEqual({ 'mcp-param-region': '' });
  const known = mcp.kernel.resolve('tools').specOf('web_wanting');
  expect(JSON.stringify(known)).toContain('region');
  expect(JSON.stringify(known)).not.toContain('x-mcp-header');
});

test('omits and names tools with invalid header declarations, and keeps the others', async () => {
  const named = (header: unknown, type: unknown = 'string'): object => ({ type, 'x-mcp-header': header });
  more = [
    ...['', 'My Region', 'Region:x', 'Région', 'a\r\nb', 7].map((header) => ({ one: named(header) })),
    ...['object', 'array', 'null', 'number', ['string', 'number']].map((type) => ({ one: named('One', type) })),
    { one: named('Same'), two: named('sAME') },
    { one: { 'x-mcp-header': 'One' } },
    { one: { type: 'array', items: named('Item') } },
    { one: { anyOf: [named('Either'), { type: 'integer' }] } },
  ].map((properties, index) => wanting(`wrong_${index}`, properties));
  const { body } = await mcp.add({ name: 'web', url });
  expect(mcp.toolsOf('web').sort()).toEqual(['web_asking', 'web_plain']);
  for (let index = 0; index < more.length; index++) expect(body.error).toContain(`'wrong_${index}' is left out`);
});

test('lists the tools again and repeats the call once when the required headers have changed', async () => {
  more = [wanting('moving', { region: { type: 'string' } })];
  await mcp.add({ name: 'web', url });
  expect(await mcp.run('web_moving', { region: 'here' })).toMatchObject({ ok: true });
  more = [wanting('moving', { region: { type: 'string', 'x-mcp-header': 'Region' } })];
  judge = (headers) => (headers['mcp-param-region'] === 'here' ? undefined : 'Mcp-Param-Region is missing');
  expect(await mcp.run('web_moving', { region: 'here' })).toMatchObject({ ok: true });
  judge = () => 'never';
  expect(await mcp.run('web_moving', { region: 'here' })).toMatchObject({ ok: false, error: expect.stringContaining('never') });
  expect(seen.filter(({ message }) => message.method === 'tools/call')).toHaveLength(5);
});

test.each([
  ['reports an unknown method', 200, JSON.stringify({ jsonrpc: '2.0', id: '0-0', error: { code: -32601, message: 'Method not found' } })],
  ['requires a session', 400, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'No session' } })],
  ['returns another result', 200, JSON.stringify({ jsonrpc: '2.0', id: '0-0', result: {} })],
  [
    'supports older revisions only',
    400,
    JSON.stringify({ jsonrpc: '2.0', id: '0-0', error: { code: -32022, message: 'no', data: { supported: ['2025-11-25'] } } }),
  ],
  ['returns a web page', 404, '<h1>Not found</h1>'],
  ['fails', 500, ''],
])('sends a handshake to an older server that %s, and nothing of this revision afterwards', async (_, status, body) => {
  const old: Seen[] = [];
  const before = await startLocalServer((request, reply) => {
    if (request.method !== 'POST') return void reply.writeHead(405).end();
    void text(request).then((given) => {
      const message = JSON.parse(given);
      old.push({ headers: request.headers, message });
      if (message.method === 'server/discover') return void reply.writeHead(status, { 'content-type': 'application/json' }).end(body);
      if (message.id === undefined) return void reply.writeHead(202).end();
      const results: Record<string, object> = {
        initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'old', version: '1' } },
        'tools/list': { tools: [wanting('wanting', { region: { type: 'number', 'x-mcp-header': 'Region' } })] },
        'tools/call': { content: [{ type: 'text', text: 'done' }] },
      };
      reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: results[message.method] }));
    });
  });
  expect((await mcp.add({ name: 'old', url: `${before.url}/mcp` })).body).toMatchObject({ ok: true });
  expect(await mcp.run('old_wanting', { region: 1 })).toMatchObject({ ok: true, output: 'done' });
  const opening = ['server/discover', 'initialize', 'notifications/initialized', 'tools/list'];
  expect(old.map(({ message }) => message.method)).toEqual([...opening, ...opening, 'tools/call']);
  for (const { headers, message } of old.filter((one) => one.message.method !== 'server/discover')) {
    expect(Object.keys(headers).filter((name) => name.startsWith('mcp-param-') || ['mcp-method', 'mcp-name'].includes(name))).toEqual([]);
    expect(JSON.stringify(message)).not.toContain('io.modelcontextprotocol/');
  }
  await mcp.call('DELETE', '/api/integrations/mcp/old');
});
