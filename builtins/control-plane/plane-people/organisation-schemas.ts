// Defines the schemas of the routes of organisations, invitations, members and plans.
import * as Type from 'typebox';
import { email, invite, member, ok, orgName, organisation, orgParams, roleSchema, strict, tierSchema, token } from './schemas.ts';

const maxSeats = 1_000_000;
const maxCredits = 1_000_000_000;

export const organisationSchemas = {
  plan: {
    params: orgParams,
    body: Type.Object(
      {
        tier: tierSchema,
        seats: Type.Integer({ minimum: 1, maximum: maxSeats }),
        walletCap: Type.Optional(
          Type.Number({ minimum: 0, maximum: maxCredits, description: 'In credits (1 = 1 USD) a period; left out, it stays as it is.' }),
        ),
      },
      strict,
    ),
    reply: ok,
  },
  operated: {
    query: Type.Object(
      {
        q: Type.Optional(Type.String({ maxLength: 200, description: 'Of the name, or of the address of a member.' })),
        cursor: Type.Optional(Type.String({ maxLength: 60, description: 'Cursor from the previous page.' })),
      },
      strict,
    ),
    reply: Type.Object({
      organisations: Type.Array(
        Type.Object({
          ...{ id: Type.String(), name: Type.String(), tier: tierSchema, seats: Type.Integer(), members: Type.Integer() },
          operates: Type.Boolean({ description: 'Its owners run this control plane.' }),
          walletCapMicro: Type.Optional(Type.Integer({ description: 'In micro-credits, a period.' })),
          walletUsedMicro: Type.Optional(Type.Integer()),
        }),
      ),
      cursor: Type.Optional(Type.String()),
    }),
  },
  members: { reply: Type.Object({ members: Type.Array(member) }) },
  invited: {
    params: orgParams,
    body: Type.Object({ role: roleSchema, email: Type.Optional(email) }, strict),
    reply: Type.Object({
      invite,
      link: Type.String({ description: 'Told only now.' }),
      mailed: Type.Boolean({ description: 'It was sent to the address, too.' }),
    }),
  },
  role: { params: Type.Object({ id: Type.String(), userId: Type.String() }), body: Type.Object({ role: roleSchema }, strict), reply: ok },
  made: { body: Type.Object({ name: orgName }, strict), reply: organisation },
  membersOf: { params: orgParams, reply: Type.Object({ members: Type.Array(member) }) },
  invites: { params: orgParams, reply: Type.Object({ invites: Type.Array(invite) }) },
  revoked: { params: Type.Object({ id: Type.String(), inviteId: Type.String() }), reply: ok },
  look: {
    body: Type.Object({ token }, strict),
    reply: Type.Object({ organisation: Type.String(), role: roleSchema, email: Type.Optional(Type.String()) }),
  },
  accepted: { body: Type.Object({ token }, strict), reply: ok },
};
