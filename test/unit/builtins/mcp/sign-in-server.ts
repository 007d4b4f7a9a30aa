// An MCP server behind OAuth: metadata, registration, PKCE and refresh, all on one loopback address.
import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { startLocalServer } from '../../../helpers/local-server.ts';

export interface SignInServer {
  readonly url: string;
  authorize(authorizeUrl: string): string;
  token(): string;
  expire(): void;
  accept(header: string): void;
  readonly ways: {
    metadataPath?: string;
    signsInAt?: string;
    issuer?: string;
    promisesIss?: boolean;
    iss?: string;
    needed?: string;
  };
  readonly registrations: readonly any[];
  readonly origin: string;
  forget(): void;
  close(): Promise<void>;
}

export async function startSignInServer(): Promise<SignInServer> {
  const ways: SignInServer['ways'] = {};
  const registrations: any[] = [];
  const codes = new Map<string, { challenge: string; redirect: string; scope: string }>();
  let scope = '';
  const clients = new Set<string>();
  let access = randomUUID();
  let refresh = randomUUID();
  let header: string | undefined;
  let session = randomUUID();
  let origin = '';

  async function answer(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin);
    const text = await readText(request);
    const json = (value: object, status = 200, headers: Record<string, string> = {}) =>
      void reply.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    const metadataPath = ways.metadataPath ?? '/.well-known/oauth-protected-resource/mcp';
    if (pathname === metadataPath) return json({ resource: `${origin}/mcp`, authorization_servers: [ways.signsInAt ?? origin] });
    if (pathname.startsWith('/.well-known/oauth-protected-resource')) return json({}, 404);
    if (pathname.startsWith('/.well-known/')) {
      return json({
        issuer: ways.issuer ?? origin,
        ...(ways.promisesIss ? { authorization_response_iss_parameter_supported: true } : {}),
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    }
    if (pathname === '/register') {
      const client = { ...JSON.parse(text), client_id: randomUUID() };
      clients.add(client.client_id);
      registrations.push(JSON.parse(text));
      return json(client, 201);
    }
    if (pathname === '/token') return exchange(new URLSearchParams(text), json);
    if (request.headers.authorization !== (header ?? `Bearer ${access}`)) {
      return json({}, 401, { 'www-authenticate': `Bearer scope="read", resource_metadata="${origin}${metadataPath}"` });
    }
    if (request.method !== 'POST') return void reply.writeHead(405).end();
    const { id, method, params } = JSON.parse(text);
    if (method === 'tools/call' && ways.needed !== undefined && !scope.split(' ').includes(ways.needed)) {
      return json({}, 403, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${ways.needed}", resource_metadata="${origin}${metadataPath}"` });
    }
    if (id === undefined) return void reply.writeHead(202).end();
    if (method !== 'initialize' && request.headers['mcp-session-id'] !== session) return json({ error: 'no session' }, 404);
    json({ jsonrpc: '2.0', id, result: resultOf(method, params) }, 200, { 'mcp-session-id': session });
  }

  function exchange(form: URLSearchParams, json: (value: object, status?: number) => void): void {
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const isCode = form.get('grant_type') === 'authorization_code' && code?.challenge === challenge && code.redirect === form.get('redirect_uri');
    const isRefresh = form.get('grant_type') === 'refresh_token' && form.get('refresh_token') === refresh;
    if (!clients.has(form.get('client_id') ?? '') || !(isCode || isRefresh)) return json({ error: 'invalid_grant' }, 400);
    if (code) scope = code.scope;
    access = randomUUID();
    refresh = randomUUID();
    json({ access_token: access, refresh_token: refresh, token_type: 'Bearer', expires_in: 3_600 });
  }

  const server = await startLocalServer((request, reply) => void answer(request, reply));
  origin = server.url;
  return {
    url: `${origin}/mcp`,
    origin,
    ways,
    registrations,
    authorize(authorizeUrl) {
      const { searchParams } = new URL(authorizeUrl);
      const [redirect, code] = [searchParams.get('redirect_uri') ?? '', randomUUID()];
      codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', redirect, scope: searchParams.get('scope') ?? '' });
      const iss = ways.iss === undefined ? '' : `&iss=${encodeURIComponent(ways.iss)}`;
      return `${redirect}?code=${code}&state=${searchParams.get('state')}${iss}`;
    },
    token: () => access,
    expire: () => void (access = randomUUID()),
    accept: (one) => void (header = one),
    forget: () => void (session = randomUUID()),
    close: server.close,
  };
}

function resultOf(method: string, params: any): object {
  if (method === 'initialize') return { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'remote', version: '1' } };
  if (method === 'tools/list') return { tools: [{ name: 'greet', inputSchema: { type: 'object', properties: {} } }] };
  return { content: [{ type: 'text', text: 'hello' }] };
}
