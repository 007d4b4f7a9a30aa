// Serves single sign-on: its settings, the redirect to the provider, and the return.
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
  hasSecret: Type.Boolean({ description: 'No route returns it.' }),
  domains: Type.Array(
    Type.Object({ domain: Type.String(), proven: Type.Boolean({ description: 'By the operator; people with a verified address of it join by themselves.' }) }),
  ),
  redirectUri: Type.String({ description: 'For the provider.' }),
  signInUrl: Type.String({ description: 'Page on which members begin to sign in.' }),
});
const change = Type.Object(
  {
    enabled: Type.Boolean(),
    issuer: Type.String({ minLength: 1, maxLength: 500 }),
    clientId: Type.String({ minLength: 1, maxLength: 500 }),
    clientSecret: Type.Optional(Type.String({ maxLength: 2_000, description: 'Left out, it stays; empty, it goes.' })),
    domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { maxItems: 50 }),
  },
  strict,
);

const postSsoTestSchema = {
  params: orgParams,
  reply: Type.Object({ signInAt: Type.String({ description: 'Page of the provider on which people sign in.' }) }),
};

export function createSsoRoutes({ store, signIn, links, people, attempts, planeUrl, redirectUri, clientOf, makeError }: SsoRouteParts): Route[] {
  const isSecure = (): boolean => planeUrl().startsWith('https:');
  const cookie = (value: string, seconds: number): string =>
    `${cookieName}=${value}; Path=/api/sso; HttpOnly; SameSite=Lax; Max-Age=${seconds}${isSecure() ? '; Secure' : ''}`;

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
      summary: 'Sets the identity provider of the organisation, and the domains of its people; who came by another one has to come again.',
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
      summary: 'Removes the identity provider of the organisation; people who signed in by it need a password from then on.',
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
      summary: 'Asks the identity provider that is set, switched on or not, whether it is there and describes itself as it should.',
      tag: 'organisations',
      entitlement: 'enterprise.sso',
      schema: postSsoTestSchema,
      handle: async (context) => ({ signInAt: await signIn.test(orgOf(context, 'session')) }),
    },
    {
      key: 'GET /api/enterprise/sso/config',
      summary: 'Whether single sign-on is set up, and with which provider, for services.',
      tag: 'enterprise',
      permission: 'sso.manage',
      entitlement: 'enterprise.sso',
      schema: { reply: Type.Object({ enabled: Type.Boolean(), issuer: Type.String(), clientId: Type.String() }) },
      async handle({ principal }) {
        const { enabled, issuer, clientId } = await store.read(people.member(principal).org.id);
        return { enabled, issuer, clientId };
      },
    },
    {
      key: 'GET /api/sso/begin',
      summary: 'Sends the browser to the identity provider of an organisation, by its id or by an e-mail address of a domain that it proved.',
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
        // Counts failed attempts only: a whole office may share one address.
        const { url, browser } = await attempts.guard('sso', { address: clientOf(context) }, async () =>
          signIn.begin(org ?? (await signIn.organisationFor(email ?? '')), undefined),
        );
        void context.reply.header('set-cookie', cookie(browser, cookieSeconds)).redirect(url, 302);
        return undefined;
      },
    },
    {
      key: 'GET /api/sso/callback',
      summary: 'Receives the browser from the identity provider: signs it in, or connects the account.',
      tag: 'account',
      auth: 'open',
      mediaType: 'text/html',
      isRaw: true,
      schema: {},
      async handle(context: RouteContext) {
        const answered = new URL(context.request.raw.url ?? '', redirectUri());
        const { userId, orgId, isLinked } = await signIn.end(answered, cookieIn(context.headers.cookie), people.freeId(context.principal));
        if (isLinked) {
          void context.reply.header('set-cookie', cookie('', 0)).redirect(`${planeUrl()}/#/account`, 302);
          return undefined;
        }
        const { setCookie } = await people.beginSession(userId, orgId, { peer: clientOf(context), agent: context.headers['user-agent'], isBound: true });
        void context.reply.header('set-cookie', [setCookie, cookie('', 0)]).redirect(`${planeUrl()}/`, 302);
        return undefined;
      },
    },
    ...createLinkRoutes({ links, signIn, people, clientOf, setCookie: (browser) => cookie(browser, cookieSeconds) }),
  ];
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
