// Serves the routes that link single sign-on to an existing account: in the user's browser, confirmed by their password.
import * as Type from 'typebox';
import type { Route, RouteContext } from 'agent-harness/plugins/http';
import type { People } from 'agent-harness/builtins/control-plane/plane-people';
import type { Links } from './links.ts';
import type { SsoSignIn } from './sign-in.ts';

const strict = { additionalProperties: false } as const;
const orgId = Type.String({ maxLength: 100 });
const ok = Type.Object({ ok: Type.Literal(true) }, strict);

interface LinkRouteParts {
  readonly signIn: Pick<SsoSignIn, 'begin'>;
  readonly people: People;
  readonly clientOf: (context: RouteContext) => string;
  readonly links: Links;
  /** Returns the cookie that binds the sign-in to the browser. */
  readonly setCookie: (browser: string) => string;
}

const deleteSsoLinksSchema = { params: Type.Object({ orgId }, strict), reply: ok };

const postSsoLinksSchema = {
  body: Type.Object({ orgId, password: Type.String({ minLength: 1, maxLength: 200, description: 'Of the account.' }) }, strict),
  reply: Type.Object({ url: Type.String({ description: 'Of the identity provider.' }) }, strict),
};

const readSsoLinksSchema = {
  reply: Type.Object(
    { links: Type.Array(Type.Object({ orgId: Type.String(), orgName: Type.String(), issuer: Type.String(), connected: Type.Boolean() }, strict)) },
    strict,
  ),
};

export function createLinkRoutes({ links, signIn, people, clientOf, setCookie }: LinkRouteParts): Route[] {
  return [
    {
      key: 'GET /api/sso/links',
      summary: 'The organisations of the person that have single sign-on, and whether it is connected with the account.',
      tag: 'account',
      permission: 'account.read',
      schema: readSsoLinksSchema,
      handle: async ({ principal }) => ({ links: [...(await links.list(people.freePerson(principal).id))] }),
    },
    {
      key: 'POST /api/sso/links',
      summary: 'Begins to connect the single sign-on of an organisation with the account: where the browser has to go.',
      tag: 'account',
      permission: 'account.read',
      schema: postSsoLinksSchema,
      async handle(context: RouteContext) {
        const { orgId: wanted, password } = context.body as unknown as { orgId: string; password: string };
        const person = await people.confirm(context.principal, password, clientOf(context));
        await links.check(wanted, person.id);
        const { url, browser } = await signIn.begin(wanted, person);
        void context.reply.header('set-cookie', setCookie(browser));
        return { url };
      },
    },
    {
      key: 'DELETE /api/sso/links/:orgId',
      summary: 'Parts the single sign-on of an organisation from the account, and ends the sessions that came by it.',
      tag: 'account',
      permission: 'account.read',
      schema: deleteSsoLinksSchema,
      async handle({ principal, params }) {
        const { id } = people.freePerson(principal);
        await links.part(params['orgId'] ?? '', id);
        await people.endBoundSessions(params['orgId'] ?? '', id);
        return { ok: true };
      },
    },
  ];
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/sso/links': typeof readSsoLinksSchema;
    'POST /api/sso/links': typeof postSsoLinksSchema;
    'DELETE /api/sso/links/:orgId': typeof deleteSsoLinksSchema;
  }
}
