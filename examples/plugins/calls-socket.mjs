// Calls routes over a WebSocket at /api/calls: {"id": 1, "method": "GET", "path": "/api/chats"} returns {"id": 1, "status": 200, "body": …}.
// Routes apply their usual checks, for the principal that opened the socket.

export const manifest = { name: 'calls-socket', requires: ['http'] };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const { http } = registry.services;
  registry.add('web_socket', {
    path: '/api/calls',
    permission: 'chats.read',
    maxMessageBytes: 1024 * 1024,
    open(connection, { principal }) {
      connection.onMessage(async (text) => {
        const call = read(String(text));
        if (!call) return connection.close(4000, 'not a call');
        const reply = await http.dispatch({ ...call.request, signal: connection.signal }, { principal });
        connection.send(JSON.stringify({ id: call.id, status: reply.status, body: bodyOf(reply) }));
      });
    },
  });
}

/** @param {string} text */
function read(text) {
  try {
    const { id, method, path, body } = JSON.parse(text);
    return typeof path === 'string' && path.startsWith('/') && typeof method === 'string' ? { id, request: { method, path, body } } : undefined;
  } catch {
    return undefined; // not JSON
  }
}

/** @param {import('agent-harness/plugins/http').DispatchReply} reply */
function bodyOf({ headers, body }) {
  return String(headers['content-type']).startsWith('application/json') ? JSON.parse(body.toString()) : body.toString('base64');
}
