// Starts an OpenID Connect identity provider on a free local port.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface IdentityProvider {
  readonly issuer: string;
  /** Stops the server. The caller of `startIdentityProvider` must call this. */
  close(): Promise<void>;
}

export const identityClient = { clientId: 'hub', clientSecret: 'the secret of the hub' } as const;

/** Every user has the e-mail address `NAME@acme.example`. The caller silences its console output. */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  // @ts-expect-error it brings no types
  const { Provider } = (await import('oidc-provider')) as {
    Provider: new (issuer: string, settings: object) => { callback(): (request: unknown, response: unknown) => void };
  };
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: identityClient.clientId, client_secret: identityClient.clientSecret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, email: `${id}@acme.example`, email_verified: true }) }),
    cookies: { keys: ['a key of the tests'] },
  });
  server.on('request', provider.callback());
  return {
    issuer,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
