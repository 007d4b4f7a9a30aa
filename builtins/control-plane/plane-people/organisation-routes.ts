// Serves the routes of organisations, invitations, members and plans.
import * as Type from 'typebox';
import { messageOf } from '#lib/errors';
import type { Principal, Route } from 'agent-harness/plugins/http';
import type { Member } from './contract.ts';
import type { RouteParts } from './route-parts.ts';
import { organisationSchemas as schemas } from './organisation-schemas.ts';
import { asJson, done, ok, organisation, orgParams } from './schemas.ts';

/** A credit is 1 USD; the wallet counts micro-credits. */
const microPerCredit = 1_000_000;
const organisationsPage = 50;

export function createOrganisationRoutes(parts: RouteParts): Route[] {
  return [...organisationRoutes(parts), ...operatorRoutes(parts), ...inviteRoutes(parts), ...memberRoutes(parts)];
}

/** Returns whether this is the role of an owner in the organisation that operates the control plane. */
async function isOperator({ directory }: RouteParts, orgId: string | undefined, role: string | undefined): Promise<boolean> {
  return role === 'owner' && orgId !== undefined && (await directory.operator())?.id === orgId;
}

function organisationRoutes(parts: RouteParts): Route[] {
  const { directory, members, sessions, makeError, signedIn, memberOf, route } = parts;
  return [
    route({
      key: 'GET /api/orgs',
      summary: 'Lists the organisations of the person.',
      tag: 'organisations',
      permission: 'account.read',
      schema: { reply: Type.Object({ organisations: Type.Array(organisation) }) },
      async handle({ principal }) {
        const { person, isBound, member: now } = signedIn(principal);
        const known = await directory.organisationsOf(person.id);
        return { organisations: (isBound ? known.filter(({ org }) => org.id === now?.org.id) : known).map(({ org, role }) => ({ ...org, role })) };
      },
    }),
    route({
      key: 'POST /api/orgs',
      summary: 'Creates an organisation with the person as its owner.',
      tag: 'organisations',
      permission: 'account.read',
      status: 201,
      schema: schemas.made,
      async handle({ principal, body: { name } }) {
        const { person, member: now, credential } = signedIn(principal, 'session');
        if (!parts.isOpen() && !(await isOperator(parts, now?.org.id, now?.role))) throw makeError('SIGN_UP_CLOSED');
        const org = await parts.database.transaction(async (query) => {
          const made = await directory.createOrganisation(name, query);
          await directory.join(made.id, person.id, 'owner', query);
          await parts.audit()?.record(made.id, { kind: 'organisation_made', userId: person.id, metrics: { email: person.email } }, query);
          return made;
        });
        await sessions.switchTo(credential, person.id, org.id);
        return { ...org, role: 'owner' as const };
      },
    }),
    route({
      key: 'POST /api/orgs/:id/switch',
      summary: 'Switches the session of the browser to this organisation.',
      tag: 'organisations',
      permission: 'account.read',
      schema: { params: orgParams, reply: ok },
      async handle({ principal, params: { id } }) {
        const { person, credential } = signedIn(principal, 'session');
        if (!(await sessions.switchTo(credential, person.id, id))) throw makeError('NOT_FOUND', { what: 'organisation' });
        return done;
      },
    }),
    route({
      key: 'POST /api/orgs/:id/leave',
      summary: 'Ends the membership of the requesting person. The last owner cannot leave.',
      tag: 'organisations',
      permission: 'account.read',
      schema: { params: orgParams, reply: ok },
      async handle({ principal, params: { id } }) {
        signedIn(principal, 'session');
        const own = memberOf(principal, id);
        await members.remove(own, own.person.id);
        return done;
      },
    }),
  ];
}

/** Builds the routes for owners of the organisation that operates the control plane. */
function operatorRoutes(parts: RouteParts): Route[] {
  const { members, makeError, route } = parts;
  async function operatorOf(principal: Principal | undefined): Promise<Member> {
    const own = parts.member(principal, 'session');
    if (!(await isOperator(parts, own.org.id, own.role))) throw makeError('OPERATOR_NEEDED');
    return own;
  }

  return [
    route({
      key: 'GET /api/operator/orgs',
      summary: 'Lists all organisations with their plans, by name. Only for owners of the organisation that operates the control plane.',
      tag: 'organisations',
      schema: schemas.operated,
      async handle({ principal, query: { q = '', cursor } }) {
        await operatorOf(principal);
        const found = await members.organisations(q, cursor, organisationsPage + 1);
        const page = found.slice(0, organisationsPage);
        const last = page.at(-1);
        return { organisations: page, ...(found.length > organisationsPage && last ? { cursor: last.id } : {}) };
      },
    }),
    route({
      key: 'PUT /api/orgs/:id/plan',
      summary: 'Sets tier, seats and wallet cap of any organisation. Only for owners of the organisation that operates the control plane.',
      tag: 'organisations',
      schema: schemas.plan,
      async handle({ principal, params: { id }, body: { tier, seats, walletCap } }) {
        const own = await operatorOf(principal);
        const cap = walletCap === undefined ? {} : { walletCapMicro: Math.round(walletCap * microPerCredit) };
        await members.setPlan(own, { orgId: id, tier, seats, ...cap });
        return done;
      },
    }),
  ];
}

function inviteRoutes(parts: RouteParts): Route[] {
  const { invites, sessions, attempts, makeError, signedIn, memberOf, route } = parts;
  return [
    route({
      key: 'GET /api/orgs/:id/invites',
      summary: 'Lists the open invitations.',
      tag: 'organisations',
      permission: 'members.manage',
      schema: schemas.invites,
      async handle({ principal, params: { id } }) {
        return { invites: asJson(await invites.list(memberOf(principal, id).org.id)) };
      },
    }),
    route({
      key: 'POST /api/orgs/:id/invites',
      summary: 'Creates an invitation link that works once within 7 days, and sends it by e-mail if the request has an address and mail is set up.',
      tag: 'organisations',
      permission: 'members.manage',
      status: 201,
      schema: schemas.invited,
      async handle({ principal, params: { id }, body }) {
        const own = memberOf(principal, id, 'session');
        if (body.role === 'owner' && own.role !== 'owner') throw makeError('OWNER_NEEDED');
        const isMailed = body.email !== undefined && parts.mail.isSetUp();
        if (isMailed) await attempts.take('invite', { account: own.person.email });
        const made = await invites.make(own.org.id, own.person, body);
        const metrics = { role: body.role, ...(made.invite.email === undefined ? {} : { email: made.invite.email }) };
        await parts.audit()?.record(own.org.id, { kind: 'member_invited', userId: own.person.id, metrics });
        const link = `${parts.planeUrl()}/sign-up?invite=${made.token}`;
        const mailed = isMailed && (await mailInvite(parts, made.invite.email, own.org.name, link));
        return { invite: asJson(made.invite), link, mailed };
      },
    }),
    route({
      key: 'DELETE /api/orgs/:id/invites/:inviteId',
      summary: 'Revokes an invitation.',
      tag: 'organisations',
      permission: 'members.manage',
      schema: schemas.revoked,
      async handle({ principal, params: { id, inviteId } }) {
        const own = memberOf(principal, id, 'session');
        if (!(await invites.remove(own.org.id, inviteId))) throw makeError('NOT_FOUND', { what: 'invitation' });
        return done;
      },
    }),
    route({
      key: 'POST /api/invites/look',
      summary: 'Returns the organisation and the role of an invitation.',
      tag: 'organisations',
      auth: 'open',
      schema: schemas.look,
      async handle(context) {
        const by = { address: parts.clientOf(context) };
        const { org, role, email: whom } = await attempts.guard('invite', by, () => invites.look(context.body.token));
        return { organisation: org.name, role, ...(whom === undefined ? {} : { email: whom }) };
      },
    }),
    route({
      key: 'POST /api/invites/accept',
      summary: 'Accepts an invitation for the signed-in person, and switches the session to that organisation.',
      tag: 'organisations',
      permission: 'account.read',
      schema: schemas.accepted,
      async handle(context) {
        const { person, credential } = signedIn(context.principal, 'session');
        const by = { address: parts.clientOf(context) };
        const orgId = await attempts.guard('invite', by, () => parts.acceptInvite(context.body.token, person));
        await sessions.switchTo(credential, person.id, orgId);
        return done;
      },
    }),
  ];
}

function memberRoutes({ members, member, memberOf, route }: RouteParts): Route[] {
  return [
    route({
      key: 'GET /api/orgs/:id/members',
      summary: 'Lists the members of the organisation with their signed-in browsers and devices.',
      tag: 'organisations',
      permission: 'members.read',
      schema: schemas.membersOf,
      handle: async ({ principal, params: { id } }) => ({ members: asJson(await members.list(memberOf(principal, id).org.id)) }),
    }),
    route({
      key: 'PATCH /api/orgs/:id/members/:userId',
      summary: 'Changes the role of a member. Only owners can add or change owners.',
      tag: 'organisations',
      permission: 'members.manage',
      schema: schemas.role,
      async handle({ principal, params: { id, userId }, body: { role } }) {
        await members.setRole(memberOf(principal, id, 'session'), userId, role);
        return done;
      },
    }),
    route({
      key: 'DELETE /api/orgs/:id/members/:userId',
      summary: 'Removes a member, and ends their sessions and licenses for this organisation.',
      tag: 'organisations',
      permission: 'members.manage',
      schema: { params: schemas.role.params, reply: ok },
      async handle({ principal, params: { id, userId } }) {
        await members.remove(memberOf(principal, id, 'session'), userId);
        return done;
      },
    }),
    route({
      key: 'GET /api/team/org/members',
      summary: 'Lists the members of the organisation, for services.',
      tag: 'team',
      permission: 'members.read',
      entitlement: 'team.rbac',
      schema: schemas.members,
      handle: async ({ principal }) => ({ members: asJson(await members.list(member(principal).org.id)) }),
    }),
    route({
      key: 'PATCH /api/team/org/members/:userId',
      summary: "Changes the role of a member of the caller's organisation; requires a browser session. Only owners can add or change owners.",
      tag: 'team',
      permission: 'members.manage',
      entitlement: 'team.rbac',
      schema: { ...schemas.role, params: Type.Object({ userId: Type.String() }) },
      async handle({ principal, params: { userId }, body: { role } }) {
        await members.setRole(member(principal, 'session'), userId, role);
        return done;
      },
    }),
  ];
}

/** Sends an invitation by e-mail; resolves to `true` if it was sent. The link is valid in both cases. */
async function mailInvite({ mail, warn }: RouteParts, to: string | undefined, org: string, link: string): Promise<boolean> {
  try {
    await mail.send(to ?? '', `An invitation to ${org}`, `You are invited to ${org}. Open this address within 7 days:\n\n${link}\n`);
    return true;
  } catch (fault) {
    warn(`the e-mail with an invitation was not sent: ${messageOf(fault)}`);
    return false;
  }
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'POST /api/orgs': typeof schemas.made;
    'POST /api/orgs/:id/switch': { params: typeof orgParams; reply: typeof ok };
    'POST /api/orgs/:id/leave': { params: typeof orgParams; reply: typeof ok };
    'GET /api/operator/orgs': typeof schemas.operated;
    'PUT /api/orgs/:id/plan': typeof schemas.plan;
    'GET /api/orgs/:id/invites': typeof schemas.invites;
    'POST /api/orgs/:id/invites': typeof schemas.invited;
    'DELETE /api/orgs/:id/invites/:inviteId': typeof schemas.revoked;
    'POST /api/invites/look': typeof schemas.look;
    'POST /api/invites/accept': typeof schemas.accepted;
    'GET /api/orgs/:id/members': typeof schemas.membersOf;
    'PATCH /api/orgs/:id/members/:userId': typeof schemas.role;
    'DELETE /api/orgs/:id/members/:userId': { params: typeof schemas.role.params; reply: typeof ok };
  }
}
