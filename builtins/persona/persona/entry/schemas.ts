// Defines the schemas of the persona's routes and events.
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';
import type { BootstrapStage, BootstrapState, PersonaChange, SliceName, SliceSource } from '../contract.ts';
import { maxSliceText, sliceNames } from '../store/slices.ts';

const closed = { additionalProperties: false } as const;

const stage = oneOf<BootstrapStage>(['profile', 'soul', 'artifacts', 'apply', 'done', 'failed']);
const source = oneOf<SliceSource>(['model', 'scaffold', 'person', 'learned']);
const change = oneOf<PersonaChange>(['bootstrap', 'skip', 'edit', 'revert', 'reset', 'learn', 'outside', 'artifact']);
const revision = Type.Integer({ minimum: 0 });
const notice = Type.String({ description: 'Reason why parts were created without the model.' });

const profile = Type.Object({
  label: Type.String(),
  name: Type.String(),
  summary: Type.String(),
  traits: Type.Array(Type.String()),
  verbosity: oneOf(['brief', 'balanced', 'detailed']),
  humor: oneOf(['none', 'light', 'playful']),
  formality: oneOf(['casual', 'neutral', 'formal']),
  language: Type.String({ description: "Language tag; empty: the user's language." }),
  address: Type.String({ description: 'Form of address for the user; empty if unknown.' }),
});

const slice = Type.Object({
  name: oneOf<SliceName>(sliceNames),
  text: Type.String(),
  source,
  revision: Type.Integer({ description: 'Revision in which this text was written: the `base` of an edit.' }),
  tokens: Type.Integer(),
  maxTokens: Type.Integer(),
  lines: Type.Optional(
    Type.Array(Type.Object({ text: Type.String(), source: Type.String({ description: 'Source of the line; empty for a line that the user wrote.' }) }), {
      description: 'Learned lines of the part.',
    }),
  ),
  outside: Type.Optional(
    Type.Object(
      { text: Type.String(), hash: Type.String() },
      { description: 'Text that another program wrote to the file; it has no effect until the user accepts it.' },
    ),
  ),
});

export const stateSchema = Type.Object({
  revision,
  label: Type.String(),
  profile: Type.Optional(profile),
  slices: Type.Array(slice),
  artifacts: Type.Record(Type.String(), Type.Unknown(), { description: 'Artifacts that plugins created, by name: `ui_theme`.' }),
  bootstrap: Type.Object({
    state: oneOf<BootstrapState>(['pending', 'running', 'done', 'skipped']),
    input: Type.Optional(Type.String({ description: 'The newest unfinished request.' })),
    stage: Type.Optional(stage),
    error: Type.Optional(Type.String({ description: 'Reason why the last run failed.' })),
    notice: Type.Optional(notice),
  }),
  chat: Type.Object({ off: Type.Boolean({ description: 'Whether the persona is switched off in the requested chat.' }) }),
});

const chatId = Type.Optional(Type.String({ description: 'Id of the chat; default: the active chat.' }));
const name = Type.Object({ name: oneOf<SliceName>(sliceNames) }, closed);

export const readSchema = { query: Type.Object({ chatId }, closed), reply: stateSchema };
export const bootstrapSchema = {
  body: Type.Object(
    {
      input: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000, description: 'Description of the agent, in one free sentence.' })),
      skip: Type.Optional(Type.Literal(true)),
    },
    closed,
  ),
  reply: Type.Object({ ok: Type.Literal(true) }),
};
export const editSchema = {
  params: name,
  body: Type.Object({ text: Type.String({ maxLength: maxSliceText }), base: revision }, closed),
  reply: stateSchema,
};
export const historySchema = {
  params: name,
  reply: Type.Object({
    versions: Type.Array(Type.Object({ version: Type.Integer(), at: Type.String(), by: change, source, why: Type.String(), text: Type.String() })),
  }),
};
export const versionsSchema = {
  reply: Type.Object({
    versions: Type.Array(Type.Object({ version: Type.Integer(), at: Type.String(), by: change, why: Type.String(), label: Type.String() })),
  }),
};
export const restoreSchema = { body: Type.Object({ version: Type.Integer({ minimum: 1 }) }, closed), reply: stateSchema };
export const revertSchema = { params: name, body: Type.Object({ version: Type.Integer({ minimum: 1 }) }, closed), reply: stateSchema };
export const outsideSchema = {
  params: name,
  body: Type.Object({ hash: Type.String({ minLength: 64, maxLength: 64 }), take: Type.Boolean() }, closed),
  reply: stateSchema,
};
export const themeSchema = { body: Type.Object({ theme: Type.Unknown({ description: 'null: removes the theme.' }) }, closed), reply: stateSchema };
export const chatSchema = { body: Type.Object({ chatId, off: Type.Boolean() }, closed), reply: Type.Object({ chatId: Type.String(), off: Type.Boolean() }) };

export const progressEvent = Type.Object({
  stage,
  artifact: Type.Optional(Type.String({ description: "Name of the part: `profile`, a slice, or a plugin's artifact such as `ui_theme`." })),
  preview: Type.Optional(Type.String({ description: 'Complete text of the part so far.' })),
  error: Type.Optional(Type.String()),
  notice: Type.Optional(notice),
});
export const changedEvent = Type.Object({ label: Type.String(), revision, change });
