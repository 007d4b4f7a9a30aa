// A server of the revision 2026-07-28: no handshake, no session, and questions that come as answers.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { answerQuestions, startMcp, type McpHarness } from './mcp-parts.ts';

interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly message: any;
}

const version = '2026-07-28';
let mcp: McpHarness;
let server: Server;
let url: string;
let seen: Seen[];
/** How answers are sent. */
let asStream: boolean;
beforeEach(async () => {
  seen = [];
  asStream = false;
  mcp = await startMcp();
  server = createServer((request, reply) => {
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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`;
});
afterEach(async () => {
  expect(await mcp.close()).toEqual([]);
  server.closeAllConnections();
  server.close();
});

function answer(headers: IncomingHttpHeaders, { method, params }: any): { status?: number; result?: object; error?: object } {
  if (headers['mcp-protocol-version'] === undefined) return { status: 400, error: { code: -32020, message: 'Missing MCP-Protocol-Version header' } };
  if (params._meta?.['io.modelcontextprotocol/protocolVersion'] !== version) return { status: 400, error: { code: -32602, message: 'no version' } };
  if (method === 'server/discover') return { result: { resultType: 'complete', supportedVersions: [version], capabilities: { tools: {} } } };
  if (method === 'tools/list')
    return { result: { resultType: 'complete', tools: ['plain', 'asking'].map((name) => ({ name, inputSchema: { type: 'object' } })) } };
  if (method !== 'tools/call') return { status: 404, error: { code: -32601, message: 'Method not found' } };
  if (params.name === 'plain' || params.inputResponses)
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

test.each([false, true])('it is spoken to without a handshake; each request says who asks (as a stream: %s)', async (isStream) => {
  asStream = isStream;
  expect((await mcp.add({ name: 'web', url })).body).toMatchObject({ ok: true, toolCount: 2 });
  expect(await mcp.run('web_plain')).toMatchObject({ ok: true, output: '"hello"' });
  const spoken = seen.filter(({ message }) => message.method !== 'initialize');
  expect(spoken.length).toBeGreaterThan(2);
  for (const { headers, message } of spoken) {
    expect(headers).toMatchObject({ 'mcp-protocol-version': version, 'mcp-method': message.method });
    expect(headers).not.toHaveProperty('mcp-session-id');
    expect(message.params._meta).toMatchObject({
      'io.modelcontextprotocol/clientInfo': { name: 'app' },
      'io.modelcontextprotocol/clientCapabilities': { roots: {}, elicitation: { form: {} } },
    });
  }
  expect(seen.at(-1)?.headers['mcp-name']).toBe('plain');
});

test('what it wants to know is asked, and sent with its own state in a new request', async () => {
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
