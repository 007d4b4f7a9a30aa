// Defines the schemas of notes for HTTP routes and wire events.
import * as Type from 'typebox';
import type { EvidenceClass } from './contract.ts';
import { maxValue } from './notes/note-grammar.ts';

const strict = { additionalProperties: false } as const;
const chatId = Type.Optional(Type.String({ description: 'Default: the active chat.' }));
export const scopeSchema = Type.Union([Type.Literal('chat'), Type.Literal('workspace'), Type.Literal('global')]);
const id = Type.String({ minLength: 3, maxLength: 240, description: '`type:key`.' });
const value = Type.String({ minLength: 1, maxLength: maxValue });

export const noteSchema = Type.Object({
  id: Type.String(),
  type: Type.String(),
  key: Type.String(),
  scope: scopeSchema,
  value: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
  accessCount: Type.Integer(),
  confidence: Type.Number(),
  links: Type.Array(Type.String()),
  source: Type.Object({
    kind: Type.Union([Type.Literal('user'), Type.Literal('tool'), Type.Literal('web'), Type.Literal('model'), Type.Literal('team')]),
    ref: Type.String(),
  }),
  revision: Type.Integer(),
  deletedAt: Type.Optional(Type.String()),
  isPending: Type.Optional(Type.Boolean({ description: 'Whether the note is pending until a person accepts it.' })),
  replaces: Type.Optional(Type.String({ description: 'Id of the note that this pending note would replace.' })),
  evidence: Type.Optional(
    Type.Array(
      Type.Object({
        chatId: Type.String(),
        turnId: Type.Optional(Type.String()),
        entryId: Type.String({ description: 'Id of the message or the call.' }),
        quote: Type.String(),
        class: Type.Unsafe<EvidenceClass>(Type.Union(['user', 'workspace', 'tool', 'model', 'web'].map((name) => Type.Literal(name)))),
        at: Type.String(),
      }),
      { description: 'Quotes from which the note was derived.' },
    ),
  ),
  waits: Type.Optional(Type.String({ description: 'Reason, as a sentence, why the note is pending.' })),
  isPinned: Type.Optional(Type.Boolean({ description: 'Whether the note is pinned, so that automatic features neither change nor delete it.' })),
  isForeign: Type.Optional(
    Type.Boolean({ description: 'Whether the note came with the workspace and was neither written nor accepted by a user of this server.' }),
  ),
});

export const listSchema = {
  query: Type.Object(
    {
      chatId,
      q: Type.Optional(Type.String({ maxLength: 1_000 })),
      scope: Type.Optional(scopeSchema),
      show: Type.Optional(Type.Union([Type.Literal('active'), Type.Literal('pending'), Type.Literal('deleted')])),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
    },
    strict,
  ),
  reply: Type.Object({ notes: Type.Array(noteSchema), total: Type.Integer() }),
};

const reply = Type.Object({ note: noteSchema });
export const addSchema = {
  body: Type.Object(
    {
      chatId,
      type: Type.Optional(Type.String({ minLength: 1, maxLength: 32, description: 'Type of the note; default: `fact`.' })),
      key: Type.String({ minLength: 1, maxLength: 200 }),
      value,
      scope: Type.Optional(scopeSchema),
    },
    strict,
  ),
  reply,
};
export const changeSchema = { body: Type.Object({ chatId, id, scope: scopeSchema, value, revision: Type.Integer({ minimum: 0 }) }, strict), reply };
export const pointSchema = { body: Type.Object({ chatId, id, scope: scopeSchema }, strict), reply };
export const acceptSchema = {
  body: Type.Object(
    {
      ...{ chatId, id, scope: scopeSchema, isAccepted: Type.Boolean() },
      value: Type.Optional({ ...value, description: 'New text; if set, the caller becomes the author of the note.' } as typeof value),
      never: Type.Optional(Type.Boolean({ description: 'With a rejection: excludes automatic notes about its subject.' })),
    },
    strict,
  ),
  reply,
};
export const pinSchema = { body: Type.Object({ chatId, id, scope: scopeSchema, isPinned: Type.Boolean() }, strict), reply };
export const wishesSchema = { reply: Type.Object({ unwanted: Type.Array(Type.Object({ id: Type.String(), value: Type.String(), at: Type.String() })) }) };
export const wishPointSchema = { body: Type.Object({ id }, strict), reply: Type.Object({ ok: Type.Literal(true) }) };
export const forgetChatSchema = {
  body: Type.Object({ chatId }, strict),
  reply: Type.Object({ forgotten: Type.Integer({ description: 'Number of deleted notes.' }) }),
};

export const memoryChanged = {
  name: 'memory_changed',
  description: 'A note was stored, changed, accepted, deleted or restored, or became pending.',
  permission: 'memory.read',
  schema: Type.Object({
    chatId: Type.Optional(Type.String({ description: 'Chat of the note; omitted if it has none.' })),
    noteId: Type.String(),
    scope: scopeSchema,
    change: Type.Union(['remembered', 'forgotten', 'restored', 'accepted', 'pending'].map((change) => Type.Literal(change))),
  }),
} as const;
