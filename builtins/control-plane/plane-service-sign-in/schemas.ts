// Defines the schemas of the service sign-in routes.
import * as Type from 'typebox';

const strict = { additionalProperties: false } as const;

const statePattern = '^[\\w.~-]{1,128}$';

export function isState(text: string): boolean {
  return new RegExp(statePattern).test(text);
}

const stateText = Type.String({ pattern: statePattern, description: 'The one-time state of the sign-in, as the service made it.' });
const redirectUri = Type.String({ minLength: 1, maxLength: 200, description: 'The callback of the service that asks, on the machine of the browser.' });
const orgId = Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'For which organisation; the one of the session when left out.' }));
const organisations = Type.Array(Type.Object({ id: Type.String(), name: Type.String(), tier: Type.String() }, strict));
const account = { email: Type.String(), orgId: Type.String(), organisations };

export const handOverQuery = Type.Object({ state: stateText, redirectUri }, strict);
export const handOverAsk = Type.Object({ ...account, target: Type.String({ description: 'Host and port that the license goes to.' }) }, strict);
export const handOverBody = Type.Object({ state: stateText, redirectUri, orgId }, strict);
export const handOverReply = Type.Object(
  {
    action: Type.String({ description: 'Address that the fields are posted to, as a form.' }),
    fields: Type.Object({ token: Type.String(), state: Type.String() }, strict),
  },
  strict,
);

export const beginBody = Type.Object({ device: Type.Optional(Type.String({ maxLength: 200, description: 'Name of the machine.' })) }, strict);
export const beginReply = Type.Object(
  { deviceCode: Type.String(), userCode: Type.String(), verificationUrl: Type.String(), interval: Type.Integer(), expiresIn: Type.Integer() },
  strict,
);
export const redeemBody = Type.Object({ deviceCode: Type.String({ minLength: 1, maxLength: 128 }) }, strict);
export const redeemReply = Type.Object({ token: Type.String(), tier: Type.String(), expiresAt: Type.String() }, strict);

const userCode = Type.String({ minLength: 1, maxLength: 32 });
export const lookBody = Type.Object({ userCode }, strict);
export const lookReply = Type.Object({ ...account, device: Type.Optional(Type.String()), peer: Type.String(), madeAt: Type.String() }, strict);
export const approveBody = Type.Object({ userCode, orgId }, strict);
export const okReply = Type.Object({ ok: Type.Literal(true) }, strict);
