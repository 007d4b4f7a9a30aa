// Defines the schemas of the managed inference routes.
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';

const strict = { additionalProperties: false } as const;
const count = Type.Integer({ minimum: 0 });
const countOrNull = Type.Union([count, Type.Null()]);

export const sessionReply = Type.Object(
  {
    token: Type.String({ description: 'Session token; valid only for the routes below baseURL.' }),
    expiresAt: Type.String({ description: 'ISO 8601.' }),
    baseURL: Type.String({ description: 'Root address of a chat completions endpoint.' }),
    models: Type.Array(Type.String(), { description: 'Chat models with a price.' }),
  },
  strict,
);
export const emptyBody = Type.Object({}, strict);

export const modelsReply = Type.Object({
  object: Type.Literal('list'),
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      object: Type.Literal('model'),
      created: count,
      owned_by: Type.String(),
      pricing: Type.Optional(
        Type.Object(
          { prompt: Type.String(), completion: Type.String(), input_cache_read: Type.Optional(Type.String()) },
          { description: 'Price of one token in credits.' },
        ),
      ),
    }),
  ),
});

const amounts = { capMicro: count, usedMicro: count, heldMicro: count, remainingMicro: count };
export const walletReply = Type.Object(
  {
    ...amounts,
    periodStart: Type.String({ description: 'ISO 8601.' }),
    periodEnd: Type.Union([Type.String(), Type.Null()], { description: 'ISO 8601; null if the period does not end.' }),
    warning: Type.Union([Type.Literal(80), Type.Literal(95), Type.Null()], { description: 'Warning level: percentage of the cap that is used.' }),
    member: Type.Union([Type.Object(amounts, strict), Type.Null()], { description: 'Wallet cap of the requesting member, if one is set.' }),
  },
  strict,
);

export const memberCapParams = Type.Object({ userId: Type.String({ pattern: '^user_[0-9A-HJKMNP-TV-Z]{26}$' }) }, strict);
export const memberCapBody = Type.Object(
  { capMicro: Type.Union([Type.Integer({ minimum: 0, maximum: 1e15 }), Type.Null()], { description: 'Cap in micro-credits; null removes it.' }) },
  strict,
);
export const memberCapsReply = Type.Object(
  {
    members: Type.Array(Type.Object({ userId: Type.String(), capMicro: count, usedMicro: count, heldMicro: count }, strict), {
      description: 'Members with their own cap.',
    }),
  },
  strict,
);
export const okReply = Type.Object({ ok: Type.Literal(true) }, strict);

const time = Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}(T[0-9:.]+(Z|[+-]\\d{2}:\\d{2})?)?$', description: 'ISO 8601.' }));
const whose = Type.Optional(Type.String({ maxLength: 60, description: 'Id of a member. Admins can see all members, others only themselves.' }));
export const receiptsQuery = Type.Object(
  { before: Type.Optional(count), limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })), from: time, to: time, userId: whose },
  strict,
);
export const receiptsReply = Type.Object(
  {
    receipts: Type.Array(
      Type.Object(
        {
          id: count,
          call: Type.String(),
          at: Type.String(),
          userId: Type.String(),
          requestId: Type.String(),
          kind: Type.String(),
          model: Type.String(),
          purpose: Type.String(),
          heldMicro: count,
          amountMicro: count,
          uncoveredMicro: count,
          inputTokens: countOrNull,
          cachedTokens: countOrNull,
          outputTokens: countOrNull,
          units: countOrNull,
          basis: Type.String({
            description: "usage: measured usage at the listed price; cost: the provider's charge; estimate: estimated usage at that price.",
          }),
          outcome: Type.String({ description: 'complete; cut: ended by the provider; left: the caller disconnected; expired: a node stopped.' }),
          priceId: count,
        },
        strict,
      ),
    ),
    cursor: Type.Optional(count),
  },
  strict,
);
export const statementQuery = Type.Object({ format: Type.Optional(oneOf(['csv', 'ndjson'])), from: time, to: time }, strict);
