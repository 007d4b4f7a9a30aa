// Serves the routes that sign in a service: by a form on the same machine, or by a code.
import { sha256 } from '#lib/hash';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { PlaneLicenses } from 'agent-harness/builtins/control-plane/plane-licenses';
import type { Member, People, PlaneAttempts } from 'agent-harness/builtins/control-plane/plane-people';
import type { PlaneSite } from 'agent-harness/builtins/control-plane/plane-serve';
import type { Principal, Route, RouteContext, RouteSchema } from 'agent-harness/plugins/http';
import { callbackAddressOf, type CallbackAddress } from './callback-address.ts';
import type { DeviceCodes } from './device-codes.ts';
import * as schemas from './schemas.ts';
import type { MakeError } from './sign-in-errors.ts';

export interface RouteParts {
  readonly database: Database;
  readonly people: People;
  readonly planeAttempts: PlaneAttempts;
  readonly planeLicenses: PlaneLicenses;
  readonly planeSite: PlaneSite;
  readonly devices: DeviceCodes;
  readonly makeError: MakeError;
}

const tag = 'sign-in';
const permission = 'account.read';

export function signInRoutes(parts: RouteParts): Route<never>[] {
  return [...handOverRoutes(parts), ...deviceRoutes(parts)];
}

/** Returns the member of a browser session. Rejects licenses, which could otherwise create others that outlive them. */
function personAt({ people, makeError }: RouteParts, principal: Principal | undefined): Member {
  const member = people.member(principal);
  if (member.via !== 'session') throw makeError('SESSION_NEEDED');
  return member;
}

async function accountOf({ people }: RouteParts, { person, org }: Member) {
  const memberships = await people.organisationsOf(person.id);
  return { email: person.email, orgId: org.id, organisations: memberships.map(({ org: { id, name, tier } }) => ({ id, name, tier })) };
}

function handOverRoutes(parts: RouteParts): Route<never>[] {
  const { database, planeLicenses, makeError } = parts;
  function callback(text: string): CallbackAddress {
    const address = callbackAddressOf(text);
    if (!address) throw makeError('REDIRECT');
    return address;
  }

  return [
    route({
      key: 'GET /api/connect/harness',
      summary: 'Returns the sign-in to confirm: its account and its server.',
      tag,
      permission,
      schema: { query: schemas.handOverQuery, reply: schemas.handOverAsk },
      async handle({ principal, query }) {
        const { host } = callback(query.redirectUri);
        return { ...(await accountOf(parts, personAt(parts, principal))), target: host };
      },
    }),
    route({
      key: 'POST /api/connect/harness',
      summary: "Confirms the sign-in of a service on the browser's machine. Returns the form that sends the license to the service.",
      tag,
      permission,
      schema: { body: schemas.handOverBody, reply: schemas.handOverReply },
      async handle({ principal, body, headers }) {
        const { url } = callback(body.redirectUri);
        const { person, org } = personAt(parts, principal);
        const { token } = await database.transaction(async (query) => {
          const used = await query.query('insert into used_sign_in_state (state_hash) values ($1) on conflict do nothing returning 1', [sha256(body.state)]);
          if (used.length === 0) throw makeError('STATE_USED');
          const device = headers['user-agent'];
          return planeLicenses.issue({ userId: person.id, orgId: body.orgId ?? org.id, ...(device === undefined ? {} : { device }) }, query);
        });
        return { action: url, fields: { token, state: body.state } };
      },
    }),
  ];
}

function deviceRoutes(parts: RouteParts): Route<never>[] {
  const { people, planeAttempts, planeSite, devices, makeError } = parts;
  /** Counts wrong codes for the address and for the account. */
  const guess = <T>(context: RouteContext, { person }: Member, work: () => Promise<T>): Promise<T> =>
    planeAttempts.guard('device-code', { address: planeSite.clientOf(context), account: person.id }, work);

  return [
    route({
      key: 'POST /api/device/code',
      summary: 'Starts the sign-in of a service without a browser. Returns a code to show and a code to poll with.',
      tag,
      auth: 'open',
      schema: { body: schemas.beginBody, reply: schemas.beginReply },
      async handle(context) {
        const peer = planeSite.clientOf(context);
        await planeAttempts.take('device-begin', { address: peer });
        return { ...(await devices.begin({ ...context.body, peer })), verificationUrl: `${planeSite.url()}/device` };
      },
    }),
    route({
      key: 'POST /api/device/token',
      summary: 'Returns the license after the code was confirmed; until then the error `authorization_pending`.',
      tag,
      auth: 'open',
      schema: { body: schemas.redeemBody, reply: schemas.redeemReply },
      async handle({ body }) {
        const { token, tier, expiresAt } = await devices.redeem(body.deviceCode);
        return { token, tier, expiresAt: expiresAt.toISOString() };
      },
    }),
    route({
      key: 'POST /api/device/look',
      summary: 'Returns the machine that shows the code, and the account with which it would be signed in.',
      tag,
      permission,
      schema: { body: schemas.lookBody, reply: schemas.lookReply },
      async handle(context) {
        const member = personAt(parts, context.principal);
        const { device, peer, madeAt } = await guess(context, member, () => devices.look(context.body.userCode));
        return { ...(await accountOf(parts, member)), ...(device === undefined ? {} : { device }), peer, madeAt: madeAt.toISOString() };
      },
    }),
    route({
      key: 'POST /api/device/approve',
      summary: 'Signs in the machine that shows the code, with the account of the requesting person.',
      tag,
      permission,
      schema: { body: schemas.approveBody, reply: schemas.okReply },
      async handle(context) {
        const { body, principal } = context;
        const member = personAt(parts, principal);
        const orgId = body.orgId ?? member.org.id;
        await guess(context, member, async () => {
          // Same error as for an unknown code, so that the reply does not reveal whether the organisation exists.
          if (!(await people.membership(orgId, member.person.id))) throw makeError('CODE_UNKNOWN');
          await devices.approve(body.userCode, { userId: member.person.id, orgId });
        });
        return { ok: true as const };
      },
    }),
    route({
      key: 'POST /api/device/deny',
      summary: 'Denies the sign-in of the machine that shows the code.',
      tag,
      permission,
      schema: { body: schemas.lookBody, reply: schemas.okReply },
      async handle(context) {
        const member = personAt(parts, context.principal);
        await guess(context, member, () => devices.deny(context.body.userCode));
        return { ok: true as const };
      },
    }),
  ];
}

/** Infers the handler's types from the schemas. */
function route<S extends RouteSchema>(definition: Route<S>): Route<never> {
  return definition as unknown as Route<never>;
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/connect/harness': { query: typeof schemas.handOverQuery; reply: typeof schemas.handOverAsk };
    'POST /api/connect/harness': { body: typeof schemas.handOverBody; reply: typeof schemas.handOverReply };
    'POST /api/device/look': { body: typeof schemas.lookBody; reply: typeof schemas.lookReply };
    'POST /api/device/approve': { body: typeof schemas.approveBody; reply: typeof schemas.okReply };
    'POST /api/device/deny': { body: typeof schemas.lookBody; reply: typeof schemas.okReply };
  }
}
