// Defines the arguments of the web tools.
import * as Type from 'typebox';
import type { Static } from 'typebox';

export const strict = { additionalProperties: false };

export const fetchInput = Type.Object(
  {
    url: Type.String({ minLength: 1, maxLength: 8192 }),
    maxChars: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Default 20000.' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Character offset to continue from.' })),
  },
  strict,
);

export type FetchArgs = Static<typeof fetchInput>;

export const searchInput = Type.Object(
  {
    query: Type.String({ minLength: 1, maxLength: 1000, description: 'The search terms.' }),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'Default 8.' })),
  },
  strict,
);

export type SearchArgs = Static<typeof searchInput>;
