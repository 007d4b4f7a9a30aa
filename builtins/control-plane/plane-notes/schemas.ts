// Defines the schemas of the notes routes.
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';

const strict = { additionalProperties: false } as const;

const time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$', description: 'ISO 8601 UTC.' });
const key = Type.String({ pattern: '^[a-z][a-z0-9_-]{0,31}:[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+$', description: 'type:key' });
const scope = Type.Optional(
  oneOf(['global', 'workspace', 'chat'], { description: 'Scope of the notes. `chat` is refused, because notes of a chat are not synchronised.' }),
);
const source = Type.Object({ kind: Type.String({ maxLength: 32 }), ref: Type.String({ maxLength: 2_000 }) }, strict);
const note = {
  key,
  value: Type.String(),
  updatedAt: time,
  source: Type.Optional(source),
  confidence: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  links: Type.Optional(Type.Array(Type.String({ maxLength: 240 }), { maxItems: 50 })),
};
const tombstone = { key, deletedAt: time };
const by = Type.Object({ userId: Type.String(), email: Type.String() });
const placed = { revision: Type.Integer(), by: Type.Optional(by) };
const noteRow = Type.Object({ ...note, ...placed });
const tombstoneRow = Type.Object({ ...tombstone, ...placed });
const rows = Type.Array(Type.Union([noteRow, tombstoneRow]));

const workspace = Type.String({ minLength: 1, maxLength: 1_024, pattern: '^[^\\u0000-\\u001f]+$', description: 'Fingerprint of the workspace, or global.' });

export const reading = {
  query: Type.Object(
    {
      ...{ workspace, scope },
      since: Type.Optional(Type.Integer({ minimum: 0, description: 'Revision of the previous read; default: the whole set.' })),
      mark: Type.Optional(Type.String({ maxLength: 64, description: '`mark` from the previous reply.' })),
      whole: Type.Optional(Type.Boolean({ description: 'Whether to continue reading a whole set.' })),
    },
    strict,
  ),
  reply: Type.Object({
    revision: Type.Integer(),
    mark: Type.Optional(Type.String()),
    horizon: Type.Integer({ description: 'Revision up to which deletions are no longer stored.' }),
    horizonAt: Type.Optional(Type.String()),
    at: Type.String(),
    reset: Type.Boolean({ description: 'Whether the reply contains the whole set, because `since` is not one of its revisions or is before its horizon.' }),
    emptied: Type.Optional(Type.Literal(true)),
    more: Type.Optional(Type.Literal(true)),
    notes: Type.Array(noteRow),
    tombstones: Type.Array(tombstoneRow),
  }),
};

export const writing = {
  query: Type.Object({ workspace, scope }, strict),
  body: Type.Object(
    {
      clientId: Type.String({ pattern: '^[\\w.-]{1,64}$', description: 'Permanent id of this copy.' }),
      mutationId: Type.Integer({
        minimum: 1,
        description: 'Increasing number of the change. A change that is sent again with the same number is applied once.',
      }),
      base: Type.Integer({ minimum: 0, description: 'Last revision that the copy has read.' }),
      mark: Type.Optional(Type.String({ maxLength: 64 })),
      scope,
      upserts: Type.Array(Type.Object(note, strict)),
      tombstones: Type.Array(Type.Object(tombstone, strict)),
    },
    strict,
  ),
  reply: Type.Object({ revision: Type.Integer(), mark: Type.Optional(Type.String()), rows }),
};

export const looking = {
  query: Type.Object({ workspace, key }, strict),
  reply: Type.Object({
    versions: Type.Array(
      Type.Object({
        value: Type.String(),
        updatedAt: Type.String(),
        replacedAt: Type.String(),
        by,
        reason: oneOf(['newer', 'deleted', 'restored']),
      }),
    ),
  }),
};

export const listing = {
  reply: Type.Object({ sets: Type.Array(Type.Object({ workspace: Type.String(), revision: Type.Integer(), notes: Type.Integer() })) }),
};

export const emptying = {
  query: Type.Object({ workspace: Type.Optional(workspace) }, strict),
  reply: Type.Object({ removed: Type.Integer({ description: 'Number of removed notes and deletions.' }) }),
};
