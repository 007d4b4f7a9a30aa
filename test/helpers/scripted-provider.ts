// Runs an identity provider over HTTP with scripted replies.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK } from 'jose';

export interface Said {
  readonly claims: Record<string, unknown>;
  readonly kid: string;
}

export interface ScriptedProvider {
  readonly issuer: string;
  /** Offset of the provider's clock in seconds. */
  skew: number;
  say: (said: Said) => Said;
  /** Status of every reply during an outage. */
  outage: number | undefined;
  readonly requests: string[];
  rotate(): Promise<void>;
  close(): Promise<void>;
}

interface Code {
  readonly nonce: string;
  readonly challenge: string;
  readonly clientId: string;
}

/** @param subject claims of the user who signs in */
export async function startProvider(subject: () => Record<string, unknown>): Promise<ScriptedProvider> {
  const codes = new Map<string, Code>();
  const keys = new Map<string, { readonly signing: CryptoKey; readonly jwk: JWK }>();
  let current = '';
  let count = 0;

  async function rotate(): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('RS256');
    current = `key${count++}`;
    keys.clear();
    keys.set(current, { signing: privateKey, jwk: { ...(await exportJWK(publicKey)), kid: current, alg: 'RS256', use: 'sig' } });
  }

  const server = createServer((request, response) => {
    void answer(request).then(({ status, headers = {}, body }) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body === undefined ? undefined : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage): Promise<{ status: number; headers?: Record<string, string>; body?: unknown }> {
    const url = new URL(request.url ?? '', issuer);
    provider.requests.push(url.pathname);
    if (provider.outage !== undefined) return { status: provider.outage, body: { secret: 'of the inside' } };
    const ask = url.searchParams;
    switch (url.pathname) {
      case '/.well-known/openid-configuration':
        return {
          status: 200,
          body: {
            issuer,
            authorization_endpoint: `${issuer}/authorize`,
            token_endpoint: `${issuer}/token`,
            jwks_uri: `${issuer}/jwks`,
            response_types_supported: ['code'],
            subject_types_supported: ['public'],
            id_token_signing_alg_values_supported: ['RS256'],
          },
        };
      case '/jwks':
        return { status: 200, body: { keys: [...keys.values()].map(({ jwk }) => jwk) } };
      case '/authorize': {
        const code = `code${count++}`;
        codes.set(code, { nonce: ask.get('nonce') ?? '', challenge: ask.get('code_challenge') ?? '', clientId: ask.get('client_id') ?? '' });
        const back = new URL(ask.get('redirect_uri') ?? '');
        back.searchParams.set('code', code);
        back.searchParams.set('state', ask.get('state') ?? '');
        return { status: 302, headers: { location: back.href } };
      }
      case '/token': {
        let form = '';
        for await (const part of request) form += String(part);
        const code = codes.get(new URLSearchParams(form).get('code') ?? '');
        if (!code || new URLSearchParams(form).get('code_verifier') === null) return { status: 400, body: { error: 'invalid_grant' } };
        const now = Math.floor(Date.now() / 1000) + provider.skew;
        const said = provider.say({ claims: { iss: issuer, aud: code.clientId, nonce: code.nonce, iat: now, exp: now + 300, ...subject() }, kid: current });
        const { signing } = keys.get(current) ?? {};
        if (!signing) return { status: 500 };
        const idToken = await new SignJWT(said.claims).setProtectedHeader({ alg: 'RS256', kid: said.kid }).sign(signing);
        return { status: 200, body: { access_token: 'access', token_type: 'Bearer', id_token: idToken } };
      }
      default:
        return { status: 404 };
    }
  }

  const provider: ScriptedProvider = {
    issuer,
    skew: 0,
    say: (said) => said,
    outage: undefined,
    requests: [],
    rotate,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  await rotate();
  return provider;
}
