// A server on stdio. Argument: how it treats the discovery of the revision 2026-07-28 (`modern`, `error`, `silent`, `exit`, `late`).
import { createInterface } from 'node:readline';

const kind = process.argv[2];
const version = '2026-07-28';
const isModern = kind === 'modern' || kind === 'late';
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const discovered = { resultType: 'complete', supportedVersions: [version], capabilities: { tools: {} } };
let hangingId;
let cancelled = 0;
let isInitialized = false;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'server/discover') {
    if (kind === 'exit') process.exit(3);
    if (kind === 'modern') send({ id, result: discovered });
    // The discovery is answered after the handshake was sent, too.
    if (kind === 'late') setTimeout(() => send({ id, result: discovered }), 600);
    if (kind === 'error') send({ id, error: { code: -32602, message: 'Invalid request parameters' } });
    return;
  }
  if (method === 'initialize') {
    if (isModern) return;
    isInitialized = true;
    return send({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: kind, version: '1' } } });
  }
  if (method === 'notifications/cancelled') {
    if (params.requestId === hangingId) cancelled += 1;
    return;
  }
  if (id === undefined) return;
  if (isModern && params._meta?.['io.modelcontextprotocol/protocolVersion'] !== version) return send({ id, error: { code: -32022, message: 'no version' } });
  if (!isModern && !isInitialized) return send({ id, error: { code: -32600, message: 'not initialized' } });
  const tools = ['plain', 'asking', 'hang', 'calls'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  if (method === 'tools/list') return send({ id, result: { resultType: 'complete', tools } });
  if (params.name === 'hang') {
    hangingId = id;
    return;
  }
  if (params.name === 'asking' && !params.inputResponses) {
    const requestedSchema = { type: 'object', properties: { sure: { type: 'boolean' } }, required: ['sure'] };
    const inputRequests = { sure: { method: 'elicitation/create', params: { message: 'Sure?', requestedSchema } } };
    return send({ id, result: { resultType: 'input_required', inputRequests, requestState: 'state' } });
  }
  const said = params.name === 'calls' ? { isHanging: hangingId !== undefined, cancelled } : (params.inputResponses ?? `hello from ${kind}`);
  send({ id, result: { content: [{ type: 'text', text: JSON.stringify(said) }] } });
});
