// Serves the routes for connecting and disconnecting accounts.
import { isLoopback } from '#lib/hosts';
import * as Type from 'typebox';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';
import type { Accounts } from './accounts.ts';
import type { HostedSite, MakeError } from './hosted-site.ts';
import type { ProviderRegistry } from './provider-registry.ts';

interface Parts {
  readonly book: ProviderRegistry;
  readonly accounts: Accounts;
  readonly site: HostedSite;
  readonly makeError: MakeError;
}

const providerId = Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' });
const params = Type.Object({ provider: providerId }, { additionalProperties: false });
const accountId = Type.String({ minLength: 1, maxLength: 200 });
const strict = { additionalProperties: false } as const;
const tag = 'integrations';

const beginSchema = {
  params,
  query: Type.Object({ mode: Type.Optional(Type.Union([Type.Literal('read_write'), Type.Literal('read_only')])) }, strict),
  reply: Type.Object({ connectUrl: Type.String(), state: Type.String() }),
};
const handoffSchema = {
  body: Type.Object(
    {
      state: Type.String({ pattern: '^[0-9a-f]{32}$' }),
      provider: providerId,
      bundle: Type.Object(
        {
          accountId,
          email: Type.Optional(Type.String({ maxLength: 320 })),
          accessToken: Type.String({ minLength: 1, maxLength: 16_384, pattern: '^[\\x21-\\x7e]+$' }),
          refreshToken: Type.Optional(Type.String({ minLength: 1, maxLength: 16_384 })),
          expiresAt: Type.Optional(Type.String({ format: 'date-time' })),
          scopes: Type.Optional(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 200 })),
          metadata: Type.Optional(Type.Object({ name: Type.Optional(Type.String({ maxLength: 200 })) }, { additionalProperties: true })),
        },
        strict,
      ),
    },
    strict,
  ),
  reply: Type.Object({ ok: Type.Literal(true), provider: Type.String() }),
};
const removeSchema = {
  params,
  query: Type.Object({ revoke: Type.Optional(Type.Union([Type.Literal('0'), Type.Literal('1')])), accountId: Type.Optional(accountId) }, strict),
  reply: Type.Object({ ok: Type.Literal(true), revoked: Type.Boolean() }),
};

export function createRoutes({ book, accounts, site, makeError }: Parts): Route<never>[] {
  const known = (id: string) => {
    const provider = book.find(id);
    if (!provider) throw makeError('NOT_FOUND', { what: 'provider', name: id });
    return provider;
  };

  return [
    route<typeof beginSchema>({
      key: 'GET /api/integrations/:provider/begin',
      summary: 'Starts connecting an account, for example with `/api/integrations/accounting/begin`. Returns the address to open and its one-time state.',
      tag,
      schema: beginSchema,
      handle: ({ params: { provider }, query: { mode = 'read_write' } }) => site.begin({ provider: known(provider).id, mode }),
    }),
    route<typeof handoffSchema>({
      key: 'POST /api/integrations/oauth/handoff',
      summary: 'Receives the tokens of an account from the hosted site; the state identifies the initiating user.',
      tag,
      schema: handoffSchema,
      auth: 'open',
      isGuessable: true,
      allowsOrigin: (origin) => site.isOrigin(origin),
      async handle({ body: { state, provider, bundle }, peer }) {
        if (!isLoopback(peer)) throw makeError('FORBIDDEN', { why: "it can be finished only on the server's computer." });
        const signIn = site.use(state);
        if (signIn?.provider !== provider) throw makeError('FORBIDDEN', { why: 'this sign-in is unknown, finished or older than 10 minutes. Start again.' });
        const { metadata, scopes = [], ...account } = bundle;
        await accounts.save(known(provider).id, { ...account, scopes, mode: signIn.mode, name: metadata?.name });
        await book.offerTools();
        return { ok: true as const, provider };
      },
    }),
    route<typeof removeSchema>({
      key: 'DELETE /api/integrations/:provider',
      summary: 'Disconnects one account or all accounts of a provider; with `revoke=1` it also revokes their tokens at the provider.',
      tag,
      schema: removeSchema,
      async handle({ params: { provider }, query: { revoke, accountId: one } }) {
        const { id, revokeUrl } = known(provider);
        const { count, isRevoked } = await accounts.remove(id, {
          ...(one === undefined ? {} : { accountId: one }),
          ...(revoke === '1' ? { revoke: revokeUrl === undefined ? {} : { url: revokeUrl } } : {}),
        });
        if (count === 0) throw makeError('NOT_FOUND', { what: 'connected account of', name: provider });
        await book.offerTools();
        return { ok: true as const, revoked: isRevoked };
      },
    }),
  ];
}

/** Infers the handler's types from the schemas. */
function route<S extends RouteSchema>(definition: Route<S>): Route<never> {
  return definition as unknown as Route<never>;
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/integrations/:provider/begin': typeof beginSchema;
    'POST /api/integrations/oauth/handoff': typeof handoffSchema;
    'DELETE /api/integrations/:provider': typeof removeSchema;
  }
}
