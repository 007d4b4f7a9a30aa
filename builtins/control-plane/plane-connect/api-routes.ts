// Serves the connection routes for services that have a license, and for the operator who configures providers.
import * as Type from 'typebox';
import type { Member, People } from 'agent-harness/builtins/control-plane/plane-people';
import type { Route } from 'agent-harness/plugins/http';
import type { MakeError } from './connect-errors.ts';
import type { Connectors } from './connectors.ts';
import type { ConnectProvider } from './contract.ts';
import type { OAuthClient } from './oauth-client.ts';

export interface ApiRouteParts {
  readonly people: People;
  readonly connectors: () => Connectors;
  readonly providers: () => readonly ConnectProvider[];
  readonly callbackOf: (provider: string) => string;
  readonly makeError: MakeError;
  clientOf(provider: string): Promise<{ readonly row: ConnectProvider; readonly oauth: OAuthClient }>;
  sealRefresh(provider: string, userId: string, refreshToken: string): Promise<string>;
  /** Decrypts a refresh token. Rejects with `INVALID_GRANT` if the grant was issued to another person or has been changed. */
  openRefresh(provider: string, userId: string, sealed: string): Promise<string>;
  changed(member: Member, provider: string, isSetUp: boolean): Promise<void>;
}

const strict = { additionalProperties: false } as const;
const params = Type.Object({ provider: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }) }, strict);
const token = Type.String({ minLength: 1, maxLength: 16_384, pattern: '^[\\x21-\\x7e]+$' });
const ok = Type.Object({ ok: Type.Literal(true) }, strict);

const refreshSchema = {
  params,
  body: Type.Object({ refreshToken: token }, strict),
  reply: Type.Object(
    {
      accessToken: Type.String(),
      refreshToken: Type.Optional(Type.String({ description: 'New refresh token that replaces the previous one; omitted if the previous one stays valid.' })),
      expiresAt: Type.Optional(Type.String()),
      scopes: Type.Optional(Type.Array(Type.String())),
    },
    strict,
  ),
};

const revokeSchema = {
  params,
  body: Type.Object({ refreshToken: Type.Optional(token), accessToken: Type.Optional(token) }, strict),
  reply: Type.Object({ revoked: Type.Boolean({ description: 'Whether the provider confirmed the revocation. Not every provider supports it.' }) }, strict),
};

const listSchema = {
  reply: Type.Object(
    {
      connectors: Type.Array(
        Type.Object({
          id: Type.String(),
          title: Type.String(),
          isSetUp: Type.Boolean(),
          canRevoke: Type.Boolean(),
          clientId: Type.Optional(Type.String({ description: 'Id of the OAuth client; returned only to the operator.' })),
          callbackUrl: Type.String({ description: 'Address that the operator registers with the provider.' }),
        }),
      ),
    },
    strict,
  ),
};

const setSchema = {
  params,
  body: Type.Object(
    {
      clientId: Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$' }),
      clientSecret: Type.Optional(
        Type.String({ minLength: 1, maxLength: 2_000, pattern: '^[\\x20-\\x7e]+$', description: 'Client secret; unchanged if omitted.' }),
      ),
    },
    strict,
  ),
  reply: ok,
};

const removeSchema = { params, reply: ok };

export function connectApiRoutes(parts: ApiRouteParts): Route[] {
  const { people, makeError } = parts;

  const refresh: Route<typeof refreshSchema> = {
    key: 'POST /api/connect/:provider/refresh',
    summary: 'Exchanges the refresh token of a connected account for a new access token. Only the person who connected the account can do this.',
    tag: 'connect',
    permission: 'connections.write',
    schema: refreshSchema,
    async handle({ params: { provider }, body, principal }) {
      const { person } = people.member(principal);
      const { oauth } = await parts.clientOf(provider);
      const { refreshToken, scopes, ...fresh } = await oauth.refresh(await parts.openRefresh(provider, person.id, body.refreshToken));
      return {
        ...fresh,
        ...(refreshToken === undefined ? {} : { refreshToken: await parts.sealRefresh(provider, person.id, refreshToken) }),
        ...(scopes === undefined ? {} : { scopes: [...scopes] }),
      };
    },
  };

  const revoke: Route<typeof revokeSchema> = {
    key: 'POST /api/connect/:provider/revoke',
    summary: 'Revokes the tokens of a connected account at its provider, if the provider supports it.',
    tag: 'connect',
    permission: 'connections.write',
    schema: revokeSchema,
    async handle({ params: { provider }, body: { refreshToken, accessToken }, principal }) {
      const { person } = people.member(principal);
      const { oauth } = await parts.clientOf(provider);
      const opened = refreshToken === undefined ? undefined : await parts.openRefresh(provider, person.id, refreshToken);
      return { revoked: await oauth.revoke({ accessToken, refreshToken: opened }) };
    },
  };

  /** Returns the owner of the organisation that operates the control plane. */
  async function operatorOf(principal: Parameters<People['member']>[0]): Promise<Member> {
    const member = people.member(principal, 'session');
    const operator = await people.operator();
    if (member.role !== 'owner' || member.org.id !== operator?.id) throw makeError('NOT_OPERATOR');
    return member;
  }
  const known = (id: string): ConnectProvider => {
    const row = parts.providers().find((one) => one.id === id);
    if (!row) throw makeError('NOT_FOUND', { provider: id });
    return row;
  };

  const list: Route<typeof listSchema> = {
    key: 'GET /api/connectors',
    summary: 'Lists the providers for connected accounts, and which of them the operator set up.',
    tag: 'connect',
    permission: 'connections.read',
    schema: listSchema,
    async handle({ principal }) {
      const isOperator = await operatorOf(principal).then(
        () => true,
        () => false,
      );
      const clients = await parts.connectors().list();
      return {
        connectors: parts.providers().map(({ id, title, revoke: revocation }) => {
          const clientId = clients.get(id);
          const shown = isOperator && clientId !== undefined ? { clientId } : {};
          return { id, title, isSetUp: clientId !== undefined, canRevoke: revocation !== undefined, callbackUrl: parts.callbackOf(id), ...shown };
        }),
      };
    },
  };

  const set: Route<typeof setSchema> = {
    key: 'PUT /api/connectors/:provider',
    summary: 'Sets the OAuth client that the operator registered with a provider. The secret is stored encrypted and never returned.',
    tag: 'connect',
    schema: setSchema,
    async handle({ params: { provider }, body, principal }) {
      const member = await operatorOf(principal);
      const { id } = known(provider);
      if (!(await parts.connectors().set(id, body.clientId, body.clientSecret)))
        throw makeError('WRONG_USE', { why: 'The first setup of a provider requires a client secret.' });
      await parts.changed(member, id, true);
      return { ok: true as const };
    },
  };

  const remove: Route<typeof removeSchema> = {
    key: 'DELETE /api/connectors/:provider',
    summary: 'Removes the OAuth client of a provider. Tokens of connected accounts can no longer be refreshed.',
    tag: 'connect',
    schema: removeSchema,
    async handle({ params: { provider }, principal }) {
      const member = await operatorOf(principal);
      if (!(await parts.connectors().remove(known(provider).id))) throw makeError('NOT_SET_UP', { provider });
      await parts.changed(member, provider, false);
      return { ok: true as const };
    },
  };

  return [refresh, revoke, list, set, remove];
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/connectors': typeof listSchema;
    'PUT /api/connectors/:provider': typeof setSchema;
    'DELETE /api/connectors/:provider': typeof removeSchema;
  }
}
