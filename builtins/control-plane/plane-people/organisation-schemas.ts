// Defines the schemas of the routes of organisations, invitations, members and plans.
import * as Type from 'typebox';
import { email, invite, member, ok, orgName, organisation, orgParams, roleSchema, strict, tierSchema, token } from './schemas.ts';

const maxSeats = 1_000_000;
/** Maximum wallet cap in credits. */
const maxCredits = 1_000_000_000;

export const organisationSchemas = {
  plan: {
    params: orgParams,
    body: Type.Object(
      {
        tier: tierSchema,
        seats: Type.Integer({ minimum: 1, maximum: maxSeats }),
        walletCap: Type.Optional(
          Type.Number({ minimum: 0, maximum: maxCredits, description: 'Wallet cap per period, in credits (1 credit is 1 USD); unchanged if omitted.' }),
        ),
      },
      strict,
    ),
    reply: ok,
  },
  operated: {
    query: Type.Object(
      {
        q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name, or of the e-mail address of a member.' })),
        cursor: Type.Optional(Type.String({ maxLength: 60, description: 'Cursor from the previous page.' })),
      },
      strict,
    ),
    reply: Type.Object({
      organisations: Type.Array(
        Type.Object({
          ...{ id: Type.String(), name: Type.String(), tier: tierSchema, seats: Type.Integer(), members: Type.Integer() },
          operates: Type.Boolean({ description: 'Whether its owners operate this control plane.' }),
          walletCapMicro: Type.Optional(Type.Integer({ description: 'Wallet cap per period, in micro-credits.' })),
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
      link: Type.String({ description: 'Invitation link; returned only once.' }),
      mailed: Type.Boolean({ description: 'Whether the link was also sent by e-mail.' }),
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
