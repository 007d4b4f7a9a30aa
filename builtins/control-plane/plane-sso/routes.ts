// Serves the routes of single sign-on: its settings, the redirect to the identity provider, and the callback.
import * as Type from 'typebox';
import type { Route, RouteContext } from 'agent-harness/plugins/http';
import type { People, PlaneAttempts } from 'agent-harness/builtins/control-plane/plane-people';
import { createLinkRoutes } from './link-routes.ts';
import type { Links } from './links.ts';
import type { SsoChange, SsoStore } from './settings.ts';
import type { SsoSignIn } from './sign-in.ts';
import type { MakeError } from './sso-errors.ts';

export interface SsoRouteParts {
  readonly store: SsoStore;
  readonly signIn: SsoSignIn;
  readonly links: Links;
  readonly people: People;
  readonly attempts: PlaneAttempts;
  readonly planeUrl: () => string;
  readonly redirectUri: () => string;
  readonly clientOf: (context: RouteContext) => string;
  readonly makeError: MakeError;
}

const strict = { additionalProperties: false } as const;
const orgParams = Type.Object({ id: Type.String() }, strict);
const cookieName = 'hub_sso';
/** Maximum duration of a sign-in, in seconds. */
const cookieSeconds = 600;
const settings = Type.Object({
  enabled: Type.Boolean(),
  issuer: Type.String(),
  clientId: Type.String(),
  hasSecret: Type.Boolean({ description: 'Whether a client secret is stored. No route returns the secret.' }),
  domains: Type.Array(
    Type.Object({
      domain: Type.String(),
      proven: Type.Boolean({ description: 'Whether the operator verified the domain. People with a verified address of it join automatically.' }),
    }),
  ),
  redirectUri: Type.String({ description: 'Callback address to register with the identity provider.' }),
  signInUrl: Type.String({ description: 'Address at which members start the sign-in.' }),
});
const change = Type.Object(
  {
    enabled: Type.Boolean(),
    issuer: Type.String({ minLength: 1, maxLength: 500 }),
    clientId: Type.String({ minLength: 1, maxLength: 500 }),
    clientSecret: Type.Optional(Type.String({ maxLength: 2_000, description: 'New client secret. Unchanged if omitted, removed if empty.' })),
    domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 50 }),
  },
  strict,
);

const postSsoTestSchema = {
  params: orgParams,
  reply: Type.Object({ signInAt: Type.String({ description: 'Origin at which the provider signs people in.' }) }),
};

export function createSsoRoutes(parts: SsoRouteParts): Route[] {
  return [...settingsRoutes(parts), ...signInRoutes(parts)];
}

function settingsRoutes({ store, signIn, people, planeUrl, redirectUri, makeError }: SsoRouteParts): Route[] {
  /** Returns the organisation in the path if it is the user's current one. */
  function orgOf({ principal, params: { id } }: RouteContext, via?: 'session'): string {
    const { org } = people.member(principal, via);
    if (org.id !== id) throw makeError('NOT_FOUND');
    return org.id;
  }

  async function describe(orgId: string): Promise<Awaited<ReturnType<SsoStore['read']>> & { redirectUri: string; signInUrl: string }> {
    return { ...(await store.read(orgId)), redirectUri: redirectUri(), signInUrl: `${planeUrl()}/api/sso/begin?org=${orgId}` };
  }

  return [
    {
      key: 'GET /api/orgs/:id/sso',
      summary: 'Returns the identity provider of the organisation.',
      tag: 'organisations',
      permission: 'sso.manage',
      entitlement: 'enterprise.sso',
      schema: { params: orgParams, reply: settings },
      handle: async (context) => describe(orgOf(context)),
    },
    {
      key: 'PUT /api/orgs/:id/sso',
      summary: 'Sets the identity provider and the e-mail domains of the organisation. Members who signed in through another provider must sign in again.',
      tag: 'organisations',
      entitlement: 'enterprise.sso',
      schema: { params: orgParams, body: change, reply: settings },
      async handle(context) {
        const orgId = orgOf(context, 'session');
        const isOver = await store.write(orgId, context.body as unknown as SsoChange, people.person(context.principal).id);
        if (isOver) await people.endBoundSessions(orgId);
        return describe(orgId);
      },
    },
    {
      key: 'DELETE /api/orgs/:id/sso',
      summary: 'Removes the identity provider of the organisation. Members who signed in through it need a password afterwards.',
      tag: 'organisations',
      entitlement: 'enterprise.sso',
      schema: { params: orgParams, reply: settings },
      async handle(context) {
        const orgId = orgOf(context, 'session');
        if (await store.remove(orgId, people.person(context.principal).id)) await people.endBoundSessions(orgId);
        return describe(orgId);
      },
    },
    {
      key: 'POST /api/orgs/:id/sso/test',
      summary: 'Tests whether the configured identity provider, enabled or not, responds with a valid configuration.',
      tag: 'organisations',
      entitlement: 'enterprise.sso',
      schema: postSsoTestSchema,
      handle: async (context) => ({ signInAt: await signIn.test(orgOf(context, 'session')) }),
    },
    {
      key: 'GET /api/enterprise/sso/config',
      summary: 'Returns the identity provider of the organisation, and whether it is enabled, for services.',
      tag: 'enterprise',
      permission: 'sso.manage',
      entitlement: 'enterprise.sso',
      schema: { reply: Type.Object({ enabled: Type.Boolean(), issuer: Type.String(), clientId: Type.String() }) },
      async handle({ principal }) {
        const { enabled, issuer, clientId } = await store.read(people.member(principal).org.id);
        return { enabled, issuer, clientId };
      },
    },
  ];
}

function signInRoutes({ signIn, links, people, attempts, planeUrl, redirectUri, clientOf }: SsoRouteParts): Route[] {
  return [
    {
      key: 'GET /api/sso/begin',
      summary: 'Redirects the browser to the identity provider of an organisation, given by its id or by an e-mail address of a verified domain.',
      tag: 'account',
      auth: 'open',
      mediaType: 'text/html',
      isRaw: true,
      schema: {
        query: Type.Object(
          {
            org: Type.Optional(Type.String({ maxLength: 100 })),
            email: Type.Optional(Type.String({ maxLength: 254 })),
          },
          strict,
        ),
      },
      async handle(context: RouteContext) {
        const { org, email } = context.query as { org?: string; email?: string };
        // Counts only failed attempts, because a whole office may share one address.
        const { url, browser } = await attempts.guard('sso', { address: clientOf(context) }, async () =>
          signIn.begin(org ?? (await signIn.organisationFor(email ?? '')), undefined),
        );
        void context.reply.header('set-cookie', cookie(planeUrl, browser)).redirect(url, 302);
        return undefined;
      },
    },
    {
      key: 'GET /api/sso/callback',
      summary: 'Receives the redirect from the identity provider: signs the browser in, or connects the account.',
      tag: 'account',
      auth: 'open',
      mediaType: 'text/html',
      isRaw: true,
      schema: {},
      async handle(context: RouteContext) {
        const answered = new URL(context.request.raw.url ?? '', redirectUri());
        const { userId, orgId, isLinked } = await signIn.end(answered, cookieIn(context.headers.cookie), people.freeId(context.principal));
        if (isLinked) {
          void context.reply.header('set-cookie', cookie(planeUrl, '', 0)).redirect(`${planeUrl()}/#/account`, 302);
          return undefined;
        }
        const { setCookie } = await people.beginSession(userId, orgId, { peer: clientOf(context), agent: context.headers['user-agent'], isBound: true });
        void context.reply.header('set-cookie', [setCookie, cookie(planeUrl, '', 0)]).redirect(`${planeUrl()}/`, 302);
        return undefined;
      },
    },
    ...createLinkRoutes({ links, signIn, people, clientOf, setCookie: (browser) => cookie(planeUrl, browser) }),
  ];
}

function cookie(planeUrl: () => string, value: string, seconds = cookieSeconds): string {
  const secure = planeUrl().startsWith('https:') ? '; Secure' : '';
  return `${cookieName}=${value}; Path=/api/sso; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`;
}

function cookieIn(header: string | undefined): string | undefined {
  const found = new RegExp(`(?:^|;)\\s*${cookieName}=([\\w-]*)`).exec(header ?? '')?.[1];
  return found === '' ? undefined : found;
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/orgs/:id/sso': { params: typeof orgParams; reply: typeof settings };
    'PUT /api/orgs/:id/sso': { params: typeof orgParams; body: typeof change; reply: typeof settings };
    'DELETE /api/orgs/:id/sso': { params: typeof orgParams; reply: typeof settings };
    'POST /api/orgs/:id/sso/test': typeof postSsoTestSchema;
  }
}
