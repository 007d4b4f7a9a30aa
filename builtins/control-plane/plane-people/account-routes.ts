// Serves the account routes: sign-up, sign-in, sign-out, sessions, devices and passwords.
import * as Type from 'typebox';
import { messageOf } from '#lib/errors';
import type { Route, RouteContext } from 'agent-harness/plugins/http';
import type { AccessChange } from './contract.ts';
import type { Accounts } from './accounts.ts';
import { describeAccount } from './describe-account.ts';
import type { RouteParts } from './route-parts.ts';
import { account, asJson, credential, done, email, ok, orgName, password, strict, token } from './schemas.ts';

const schemas = {
  signUp: {
    body: Type.Object(
      {
        email,
        password,
        orgName: Type.Optional(orgName),
        setup: Type.Optional(Type.String({ ...token, description: 'Token of the setup address that the first start prints. It creates the first owner.' })),
        invite: Type.Optional(Type.String({ ...token, description: 'Token of an invitation.' })),
      },
      strict,
    ),
    reply: account,
  },
  signIn: { body: Type.Object({ email, password, invite: Type.Optional(token) }, strict), reply: account },
  password: { body: Type.Object({ current: password, password }, strict), reply: ok },
  beginReset: { body: Type.Object({ email }, strict), reply: ok },
  reset: { body: Type.Object({ token, password }, strict), reply: ok },
};

const endSessionsSchema = { reply: Type.Object({ ended: Type.Integer() }) };

const endSessionSchema = { params: Type.Object({ id: Type.String() }), reply: ok };

const listSessionsSchema = { reply: Type.Object({ sessions: Type.Array(credential) }) };

export function createAccountRoutes(parts: RouteParts): Route[] {
  return [...entryRoutes(parts), ...sessionRoutes(parts), ...passwordRoutes(parts)];
}

function publish({ changed }: RouteParts, changes: readonly AccessChange[]): void {
  for (const change of changes) changed(change);
}

function entryRoutes(parts: RouteParts): Route[] {
  const { accounts, sessions, attempts, makeError, route } = parts;

  /** Starts a session for the requesting browser. */
  async function enter(context: RouteContext, userId: string, orgId?: string): Promise<ReturnType<typeof describeAccount>> {
    const agent = context.headers['user-agent'];
    const { setCookie } = await sessions.begin(userId, orgId, { peer: parts.clientOf(context), agent });
    void context.reply.header('set-cookie', setCookie);
    const found = await sessions.find(setCookie.slice(setCookie.indexOf('=') + 1, setCookie.indexOf(';')));
    if (!found) throw makeError('SIGNED_OUT');
    return describeAccount(parts, { person: found.person, via: 'session', now: found.membership });
  }

  return [
    route({
      key: 'POST /api/account/sign-up',
      summary: 'Creates an account and signs in. Available to the first owner, to invited people, and to any person if sign-up is open.',
      tag: 'account',
      auth: 'open',
      schema: schemas.signUp,
      async handle(context) {
        const { body } = context;
        const by = { address: parts.clientOf(context), account: body.email };
        const make = (): ReturnType<typeof accounts.signUp> => accounts.signUp(body);
        // A valid link is not a guess, so only failures count. Without a link, every sign-up counts.
        const hasLink = body.setup !== undefined || body.invite !== undefined;
        const { person, orgId } = await (hasLink ? attempts.guard('sign-up', by, make) : attempts.take('sign-up', by).then(make));
        return enter(context, person.id, orgId);
      },
    }),
    route({
      key: 'POST /api/account/sign-in',
      summary: 'Signs a browser in, and accepts the invitation if one is given.',
      tag: 'account',
      auth: 'open',
      schema: schemas.signIn,
      async handle(context) {
        const { body } = context;
        const person = await attempts.guard('sign-in', { address: parts.clientOf(context), account: body.email }, () =>
          accounts.check(body.email, body.password),
        );
        const { invite } = body;
        const orgId = invite === undefined ? undefined : await parts.acceptInvite(invite, person);
        return enter(context, person.id, orgId ?? (await parts.directory.organisationsOf(person.id))[0]?.org.id);
      },
    }),
  ];
}

function sessionRoutes(parts: RouteParts): Route[] {
  const { sessions, credentials, database, makeError, signedIn, route } = parts;
  return [
    route({
      key: 'POST /api/account/sign-out',
      summary: 'Ends the session of the request.',
      tag: 'account',
      permission: 'account.read',
      schema: { reply: ok },
      async handle({ principal, reply }) {
        const { person, credential: id } = signedIn(principal);
        publish(parts, await database.transaction((query) => credentials.end(person.id, { id }, query)));
        void reply.header('set-cookie', sessions.clearCookie);
        return done;
      },
    }),
    route({
      key: 'GET /api/account/me',
      summary: 'Returns the signed-in person, the organisation of the session, and all organisations of the person.',
      tag: 'account',
      permission: 'account.read',
      schema: { reply: account },
      handle({ principal }) {
        const { person, via, member: now, isBound } = signedIn(principal);
        return describeAccount(parts, { person, via, now, isBound });
      },
    }),
    route({
      key: 'GET /api/account/sessions',
      summary: 'Lists the browsers and devices on which the person is signed in.',
      tag: 'account',
      permission: 'account.read',
      schema: listSessionsSchema,
      async handle({ principal }) {
        const { person, credential: own } = signedIn(principal, 'session');
        const held = await credentials.list([person.id]);
        return { sessions: asJson(held.map((one) => ({ ...one, current: one.id === own }))) };
      },
    }),
    route({
      key: 'DELETE /api/account/sessions/:id',
      summary: "Signs out one of the person's browsers or devices.",
      tag: 'account',
      permission: 'account.read',
      schema: endSessionSchema,
      async handle({ principal, params: { id } }) {
        const { person } = signedIn(principal, 'session');
        const ended = await database.transaction((query) => credentials.end(person.id, { id }, query));
        if (ended.length === 0) throw makeError('NOT_FOUND', { what: 'session' });
        publish(parts, ended);
        return done;
      },
    }),
    route({
      key: 'DELETE /api/account/sessions',
      summary: 'Signs out all other browsers and devices of the person.',
      tag: 'account',
      permission: 'account.read',
      schema: endSessionsSchema,
      async handle({ principal }) {
        const { person, credential: except } = signedIn(principal, 'session');
        const ended = await database.transaction((query) => credentials.end(person.id, { except }, query));
        publish(parts, ended);
        return { ended: ended.length };
      },
    }),
  ];
}

function passwordRoutes(parts: RouteParts): Route[] {
  const { accounts, attempts, signedIn, route } = parts;
  return [
    route({
      key: 'POST /api/account/password',
      summary: 'Changes the password, and signs out all other browsers and devices.',
      tag: 'account',
      permission: 'account.read',
      schema: schemas.password,
      async handle(context) {
        const { person, credential: own } = signedIn(context.principal, 'session');
        const { current, password: newPassword } = context.body;
        const by = { address: parts.clientOf(context), account: person.email };
        publish(parts, await attempts.guard('sign-in', by, () => accounts.changePassword(person, current, newPassword, own)));
        return done;
      },
    }),
    route({
      key: 'POST /api/account/reset/begin',
      summary: 'Sends a link for a new password if mail is set up and an account has this address. The response is always the same.',
      tag: 'account',
      auth: 'open',
      schema: schemas.beginReset,
      async handle(context) {
        const { email: address } = context.body;
        await attempts.take('reset', { address: parts.clientOf(context), account: address });
        // Not awaited, so that the response time does not reveal whether the account exists.
        if (parts.mail.isSetUp())
          sendReset(accounts, parts, address).catch((fault: unknown) =>
            parts.warn(`the e-mail with the link for a new password was not sent: ${messageOf(fault)}`),
          );
        return done;
      },
    }),
    route({
      key: 'POST /api/account/reset',
      summary: 'Sets a new password with the token of a link, and signs out all browsers and devices.',
      tag: 'account',
      auth: 'open',
      schema: schemas.reset,
      async handle(context) {
        const { token: link, password: newPassword } = context.body;
        await attempts.take('reset', { address: parts.clientOf(context) });
        publish(parts, await accounts.reset(link, newPassword));
        return done;
      },
    }),
  ];
}

async function sendReset(accounts: Accounts, { mail, planeUrl }: RouteParts, address: string): Promise<void> {
  const made = await accounts.makeReset(address);
  if (!made) return;
  const lines = [
    'Open this address within an hour to set a new password:',
    '',
    `${planeUrl()}/reset?token=${made.token}`,
    '',
    'If you did not request a new password, ignore this e-mail.',
  ];
  // Sends to the stored address, because the entered one may only resemble it and belong to another person.
  await mail.send(made.email, 'Set a new password', lines.join('\n'));
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'POST /api/account/sign-up': typeof schemas.signUp;
    'POST /api/account/sign-in': typeof schemas.signIn;
    'POST /api/account/sign-out': { reply: typeof ok };
    'GET /api/account/me': { reply: typeof account };
    'GET /api/account/sessions': typeof listSessionsSchema;
    'DELETE /api/account/sessions/:id': typeof endSessionSchema;
    'DELETE /api/account/sessions': typeof endSessionsSchema;
    'POST /api/account/password': typeof schemas.password;
    'POST /api/account/reset/begin': typeof schemas.beginReset;
    'POST /api/account/reset': typeof schemas.reset;
  }
}
