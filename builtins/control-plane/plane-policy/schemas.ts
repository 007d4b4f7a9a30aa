// Defines the schemas of policy and fleet configuration.
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';
import type { FleetConfig, Policy } from './contract.ts';

export const strict = { additionalProperties: false } as const;

const listed = { maxItems: 500, uniqueItems: true };
const names = (description: string): ReturnType<typeof Type.Array> =>
  Type.Array(Type.String({ pattern: '^[\\w.:*-]{1,128}$' }), { ...listed, description: `${description} \`*\` matches any text.` });
const usd = Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 });

const rules = {
  blockedTools: Type.Optional(names('Names of tools that never run.')),
  forcedApprovals: Type.Optional(names('Names of tools whose calls always require approval, regardless of other settings.')),
  allowedModels: Type.Optional(
    Type.Array(Type.String({ pattern: '^[\\w./:@*-]{1,300}$' }), { ...listed, description: 'The only allowed models. `*` matches any text.' }),
  ),
  spendingCaps: Type.Optional(
    Type.Object(
      {
        perDay: Type.Optional(usd),
        perChat: Type.Optional(usd),
        purposes: Type.Optional(
          Type.Object(Object.fromEntries(['chat', 'task', 'memory', 'heartbeat', 'dream', 'voice'].map((purpose) => [purpose, Type.Optional(usd)])), strict),
        ),
      },
      { ...strict, description: 'Spending caps in USD.' },
    ),
  ),
};
const group = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\u0000-\\u001f\\u007f]+$' }),
    match: Type.Object(
      {
        roles: Type.Optional(Type.Array(oneOf(['viewer', 'member', 'admin', 'owner']), { minItems: 1, maxItems: 4, uniqueItems: true })),
        people: Type.Optional(
          Type.Array(Type.String({ minLength: 3, maxLength: 320, pattern: '^[^\\s@]+@[^\\s@]+$' }), {
            minItems: 1,
            maxItems: 1_000,
            description: 'E-mail addresses.',
          }),
        ),
      },
      { ...strict, minProperties: 1 },
    ),
    ...rules,
  },
  strict,
);

export const policySchema = Type.Unsafe<Policy>(Type.Object({ ...rules, groups: Type.Optional(Type.Array(group, { maxItems: 100 })) }, strict));

export const fleetSchema = Type.Unsafe<FleetConfig>(
  Type.Object(
    {
      harness: Type.Optional(
        Type.Object(
          {
            env: Type.Optional(
              Type.Record(Type.String({ pattern: '^[A-Z][A-Z0-9_]{0,99}$' }), Type.String({ maxLength: 4_096, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }), {
                maxProperties: 500,
                description: 'Values by variable name.',
              }),
            ),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
);
