// Runs an OAuth provider for tests: authorization codes with PKCE, rotating refresh tokens with families, an account and a protected API.
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConnectProvider } from '../../builtins/control-plane/plane-connect/contract.ts';

export interface OAuthRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string | undefined;
  readonly fields: Readonly<Record<string, string>>;
}

export interface OAuthServer {
  readonly origin: string;
  readonly client: { readonly id: string; readonly secret: string };
  readonly seen: readonly OAuthRequest[];
  row(id: string, more?: Partial<ConnectProvider>): ConnectProvider;
  /** Replies that the token endpoint returns once each in place of its own. `wait` delays the endpoint's own reply. */
  readonly next: { status?: number; body?: object; wait?: Promise<unknown> }[];
  /** Overrides the status 200 of a call to its API. */
  api: (path: string) => number | undefined | Promise<number | undefined>;
  /** In seconds. */
  lifetime: number;
  readonly refreshes: number;
  /** Whether a refresh token was reused, which revokes its family. */
  readonly families: readonly { readonly isEnded: boolean }[];
  close(): Promise<void>;
}

interface Family {
  isEnded: boolean;
  refreshToken: string;
  accessTokens: string[];
  readonly scope: string;
}
interface Code {
  readonly redirectUri: string;
  readonly challenge: string | undefined;
  readonly scope: string;
}

/** Starts the provider. The caller closes it. */
export async function startOAuthServer(): Promise<OAuthServer> {
  const client = { id: 'client-1', secret: 'secret of the client' };
  const seen: OAuthRequest[] = [];
  const codes = new Map<string, Code>();
  const families: Family[] = [];
  const next: OAuthServer['next'] = [];
  const secret = (): string => randomBytes(16).toString('hex');
  let refreshes = 0;

  const isClient = ({ authorization, fields }: OAuthRequest): boolean => {
    const basic = `Basic ${Buffer.from(`${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`).toString('base64')}`;
    return authorization === basic || (fields['client_id'] === client.id && fields['client_secret'] === client.secret);
  };
  const give = (family: Family): object => {
    family.refreshToken = `refresh-${secret()}`;
    family.accessTokens.push(`access-${secret()}`);
    return {
      access_token: family.accessTokens.at(-1),
      refresh_token: family.refreshToken,
      expires_in: server.lifetime,
      scope: family.scope,
      token_type: 'bearer',
    };
  };

  function token(request: OAuthRequest): [number, object] {
    const { fields } = request;
    if (!isClient(request)) return [401, { error: 'invalid_client' }];
    if (fields['grant_type'] === 'authorization_code') {
      const code = codes.get(fields['code'] ?? '');
      codes.delete(fields['code'] ?? '');
      const proof = createHash('sha256')
        .update(fields['code_verifier'] ?? '')
        .digest('base64url');
      if (!code || code.redirectUri !== fields['redirect_uri'] || (code.challenge !== undefined && code.challenge !== proof))
        return [400, { error: 'invalid_grant' }];
      const family: Family = { isEnded: false, refreshToken: '', accessTokens: [], scope: code.scope };
      families.push(family);
      return [200, give(family)];
    }
    const shown = fields['refresh_token'] ?? '';
    const family = families.find((one) => one.refreshToken === shown);
    if (!family || family.isEnded) {
      // Reuse of a replaced refresh token is treated as theft.
      for (const one of families) if (used.get(shown) === one) one.isEnded = true;
      return [400, { error: 'invalid_grant' }];
    }
    used.set(shown, family);
    refreshes++;
    return [200, give(family)];
  }
  const used = new Map<string, Family>();

  const http = createServer((incoming, response) => {
    void (async () => {
      const url = new URL(incoming.url ?? '/', 'http://any');
      const text = await readText(incoming);
      const fields = text.startsWith('{') ? (JSON.parse(text) as Record<string, string>) : Object.fromEntries(new URLSearchParams(text));
      const request = { method: incoming.method ?? '', path: url.pathname, authorization: incoming.headers.authorization, fields };
      seen.push(request);
      const answer = (status: number, body: object): void => void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      const bearer = request.authorization?.replace('Bearer ', '') ?? '';
      const owner = families.find((one) => !one.isEnded && one.accessTokens.includes(bearer));
      if (url.pathname === '/authorize') {
        const asked = Object.fromEntries(url.searchParams);
        const code = `code-${secret()}`;
        codes.set(code, { redirectUri: asked['redirect_uri'] ?? '', challenge: asked['code_challenge'], scope: asked['scope'] ?? '' });
        const back = new URL(asked['redirect_uri'] ?? '');
        back.searchParams.set('code', code);
        back.searchParams.set('state', asked['state'] ?? '');
        back.searchParams.set('iss', server.origin);
        return void response.writeHead(302, { location: back.href }).end();
      }
      if (url.pathname === '/token') {
        const { status, body, wait } = next.shift() ?? {};
        await wait;
        return status === undefined ? answer(...token(request)) : answer(status, body ?? {});
      }
      if (url.pathname === '/revoke') {
        const family = families.find((one) => one.refreshToken === fields['token'] || one.accessTokens.includes(fields['token'] ?? ''));
        if (family) family.isEnded = true;
        return answer(200, {});
      }
      if (!owner) return answer(401, { error: 'invalid_token' });
      const status = await server.api(url.pathname);
      if (status !== undefined) return answer(status, { error: 'invalid_token' });
      if (url.pathname === '/userinfo') return answer(200, { sub: 'ada-1', email: 'ada@example.org', profile: { name: 'Ada' } });
      answer(200, { path: url.pathname, method: request.method });
    })();
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;

  const server: OAuthServer = {
    origin,
    client,
    seen,
    next,
    api: () => undefined,
    lifetime: 3_600,
    get refreshes() {
      return refreshes;
    },
    families,
    row: (id, more) => ({
      id,
      title: `Place ${id}`,
      authorizeUrl: `${origin}/authorize`,
      tokenUrl: `${origin}/token`,
      clientAuth: 'body',
      tokenBody: 'form',
      scopes: { read_write: ['read', 'write'], read_only: ['read'] },
      hasPkce: true,
      account: { request: { url: `${origin}/userinfo` }, accountId: 'sub', email: 'email', name: 'profile.name' },
      revoke: { url: `${origin}/revoke`, token: 'refresh', auth: 'none', field: 'token', body: 'form' },
      ...more,
    }),
    async close() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  return server;
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
