// Defines the schemas of the account routes.
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';
import type { Account } from 'agent-harness/plugins/licensing';
import type { InferenceStatus } from './contract.ts';
import type { DeviceSignInState } from './device-sign-in.ts';
import type { SignInOutcome } from './sign-in-states.ts';

export const strict = { additionalProperties: false } as const;

const tier = oneOf(['community', 'pro', 'team', 'enterprise']);
const status = oneOf(['community', 'active', 'grace', 'expired', 'invalid']);
const account = Type.Unsafe<Account>(
  Type.Object({ email: Type.String(), tier, source: oneOf(['browser', 'environment']), connectedAt: Type.String() }, strict),
);
const numberOrNull = Type.Union([Type.Number(), Type.Null()]);

export const accountReply = Type.Object(
  {
    connected: Type.Boolean(),
    account: Type.Union([account, Type.Null()]),
    tier,
    status,
    issuedAt: Type.Optional(Type.String()),
    expiresAt: Type.Optional(Type.String()),
    org: Type.Optional(Type.String({ description: 'Organisation of the license.' })),
    seats: Type.Optional(Type.Integer({ description: 'Number of people covered by the license.' })),
    entitlements: Type.Array(Type.String()),
    licensed: Type.Boolean(),
    message: Type.Optional(Type.String()),
    advice: Type.Optional(Type.String({ description: 'Advice for an invalid license.' })),
  },
  strict,
);

export const beginReply = Type.Object({ connectUrl: Type.String(), state: Type.String() }, strict);

const handOverFields = { token: Type.String({ minLength: 1, maxLength: 16_384 }), state: Type.String({ minLength: 1, maxLength: 128 }) };

/** The message that the hosted site sends after a sign-in. */
export const handOver = Type.Object(handOverFields, strict);
/** The same message as query parameters; sites may add their own parameters. */
export const handOverQuery = Type.Object(handOverFields);

export const signedInReply = Type.Object({ ok: Type.Literal(true), tier }, strict);
export const outcomeQuery = Type.Object({ state: Type.String({ minLength: 1, maxLength: 128 }) }, strict);
export const outcomeReply = Type.Unsafe<SignInOutcome>(
  Type.Object({ state: oneOf(['waiting', 'signed_in', 'failed', 'over']), message: Type.Optional(Type.String()) }, strict),
);
export const deviceReply = Type.Unsafe<DeviceSignInState>(
  Type.Object(
    {
      state: oneOf(['none', 'waiting', 'signed_in', 'refused', 'expired', 'failed']),
      userCode: Type.Optional(Type.String({ description: 'Code to enter at verificationUrl.' })),
      verificationUrl: Type.Optional(Type.String()),
      expiresAt: Type.Optional(Type.String()),
      message: Type.Optional(Type.String({ description: 'Error, or reason why the sign-in is not finished yet.' })),
    },
    strict,
  ),
);
export const signedOutReply = Type.Object(
  {
    ok: Type.Literal(true),
    revoked: Type.Boolean({ description: 'Whether the control plane revoked the license.' }),
    message: Type.Optional(Type.String({ description: 'Reason why the license may still be valid.' })),
  },
  strict,
);
export const okReply = Type.Object({ ok: Type.Literal(true) }, strict);
export const emptyBody = Type.Object({}, strict);

export const inferenceReply = Type.Unsafe<InferenceStatus>(
  Type.Object(
    {
      configured: Type.Boolean(),
      entitled: Type.Boolean(),
      remaining: numberOrNull,
      cap: numberOrNull,
      used: numberOrNull,
      periodEnd: Type.Union([Type.String(), Type.Null()]),
    },
    strict,
  ),
);
