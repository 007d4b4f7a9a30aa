// Serves the routes that connect single sign-on to an existing account; the user confirms this in the browser with the password.
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
  body: Type.Object({ orgId, password: Type.String({ minLength: 1, maxLength: 200, description: 'Password of the account.' }) }, strict),
  reply: Type.Object({ url: Type.String({ description: 'Address of the identity provider to open in the browser.' }) }, strict),
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
      summary: 'Lists the organisations of the person that have single sign-on, and whether it is connected to the account.',
      tag: 'account',
      permission: 'account.read',
      schema: readSsoLinksSchema,
      handle: async ({ principal }) => ({ links: [...(await links.list(people.freePerson(principal).id))] }),
    },
    {
      key: 'POST /api/sso/links',
      summary: 'Starts connecting the single sign-on of an organisation to the account. Returns the address to open in the browser.',
      tag: 'account',
      permission: 'account.read',
      schema: postSsoLinksSchema,
      async handle(context: RouteContext) {
        const { orgId: org, password } = context.body as unknown as { orgId: string; password: string };
        const person = await people.confirm(context.principal, password, clientOf(context));
        await links.check(org, person.id);
        const { url, browser } = await signIn.begin(org, person);
        void context.reply.header('set-cookie', setCookie(browser));
        return { url };
      },
    },
    {
      key: 'DELETE /api/sso/links/:orgId',
      summary: 'Disconnects the single sign-on of an organisation from the account, and ends the sessions that used it.',
      tag: 'account',
      permission: 'account.read',
      schema: deleteSsoLinksSchema,
      async handle({ principal, params }) {
        const { id } = people.freePerson(principal);
        await links.remove(params['orgId'] ?? '', id);
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
