// Defines the schemas that the routes of accounts and organisations share.
import * as Type from 'typebox';

export const strict = { additionalProperties: false } as const;
/** ISO 8601. */
const time = Type.String({ format: 'date-time' });
export const roleSchema = Type.Union([Type.Literal('viewer'), Type.Literal('member'), Type.Literal('admin'), Type.Literal('owner')]);
export const tierSchema = Type.Union([Type.Literal('community'), Type.Literal('pro'), Type.Literal('team'), Type.Literal('enterprise')]);
const via = Type.Union([Type.Literal('session'), Type.Literal('license')]);
const text = (maxLength: number): Type.TString => Type.String({ minLength: 1, maxLength });
export const email = text(254);
/** Rejects oversized texts before they are hashed; the password rules are stricter. */
export const password = text(1_000);
export const token = text(200);
export const orgName = text(100);

export const ok = Type.Object({ ok: Type.Literal(true) }, strict);
export const done = { ok: true } as const;
export const orgParams = Type.Object({ id: Type.String() }, strict);

export const organisation = Type.Object({
  id: Type.String(),
  name: Type.String(),
  tier: tierSchema,
  seats: Type.Integer(),
  role: roleSchema,
});

export const account = Type.Object({
  person: Type.Object({ id: Type.String(), email: Type.String() }),
  organisation: Type.Union([
    Type.Object({
      ...organisation.properties,
      entitlements: Type.Array(Type.String()),
      operates: Type.Boolean({ description: 'Whether its owners operate this control plane.' }),
    }),
    Type.Null(),
  ]),
  organisations: Type.Array(organisation),
  via,
});

export const credential = Type.Object({
  id: Type.String(),
  via,
  orgId: Type.Optional(Type.String()),
  name: Type.Optional(Type.String({ description: 'User agent of the browser, or name of the device.' })),
  peer: Type.Optional(Type.String({ description: 'Last client address.' })),
  madeAt: time,
  seenAt: Type.Optional(time),
  current: Type.Boolean({ description: 'Whether the request uses this session.' }),
});

export const member = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: roleSchema,
  joinedAt: time,
  seenAt: Type.Optional(time),
  devices: Type.Array(Type.Object({ id: Type.String(), via, name: Type.Optional(Type.String()), seenAt: Type.Optional(time) })),
});

export const invite = Type.Object({
  id: Type.String(),
  role: roleSchema,
  email: Type.Optional(Type.String()),
  invitedBy: Type.Optional(Type.String()),
  madeAt: time,
  endsAt: time,
});

/** Converts the values of a row to JSON. */
export function asJson<T>(row: T): AsJson<T> {
  return JSON.parse(JSON.stringify(row)) as AsJson<T>;
}

export type AsJson<T> = T extends Date ? string : T extends readonly (infer U)[] ? AsJson<U>[] : T extends object ? { [K in keyof T]: AsJson<T[K]> } : T;
