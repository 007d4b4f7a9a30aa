// Defines the schemas of a question and its explanation; their types are derived from the schemas.
import * as Type from 'typebox';
import { oneOf } from '#lib/schemas';

const optional = Type.Optional;
const text = Type.String();
const id = (description: string) => optional(Type.String({ minLength: 1, maxLength: 500, description }));
const fields = {
  chatId: optional(Type.String({ pattern: '^chat_[0-9A-HJKMNP-TV-Z]{26}$', description: 'Default: the active chat.' })),
  turn: id('A turn; the last one with a model request when nothing is named.'),
  call: id('A tool call, also a pending one.'),
  message: id('A message of a person, a plugin or the model.'),
  section: id('A section of the prompt of the turn.'),
  note: id('`type:key`.'),
  source: id('A file, a page, or any other origin: returns the items derived from it.'),
  text: optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'Words of a prompt, a message, or the arguments or output of a call; within the named subject, if any.',
    }),
  ),
  of: optional(Type.Literal('chat', { description: 'The chat as a whole: returns the items derived from it.' })),
};
const asks = optional(Type.Object(fields, { description: 'The follow-up question; about the same chat if it names none.' }));

export const questionSchema = Type.Object(fields, { additionalProperties: false });

const part = Type.Object({
  kind: oneOf(['section', 'sentence', 'message', 'call', 'answer', 'change', 'note']),
  text,
  by: Type.String({ description: 'Author, hook and sources, as a sentence.' }),
  plugin: optional(text),
  hook: optional(text),
  asks,
});
const source = Type.Object({
  kind: oneOf(['user', 'workspace', 'secret', 'web', 'service', 'teammate', 'memory', 'task', 'file', 'setting']),
  ref: Type.String({ description: 'Reference of the source, for display.' }),
  quote: optional(Type.String({ description: 'The repeated words; omitted for secrets.' })),
  field: optional(Type.String({ description: 'Argument of the call that contains the quote.' })),
  asks,
});
const derived = Type.Object({
  kind: oneOf(['note', 'text', 'summary'], { description: 'A note of the memory, a text of a plugin, or the summary of the older conversation.' }),
  id: Type.String({ description: 'Id: `type:key` for a note, the id given by its plugin for a text.' }),
  key: Type.String({ description: 'Unique in an answer; changes with the text.' }),
  scope: optional(oneOf(['chat', 'workspace', 'global'])),
  where: optional(Type.String({ description: 'Location of the text as used inside a sentence, such as `the vault`.' })),
  isYours: optional(Type.Boolean({ description: 'A person edited the text: it cannot be deleted here.' })),
  text,
  how: Type.String({ description: 'How it was derived, as a sentence.' }),
});

export const answerSchema = Type.Object({
  title: text,
  says: Type.Array(text, { description: 'Explanation in sentences, even if nothing is known.' }),
  parts: Type.Array(part, { description: 'Parts of the subject, with their authors.' }),
  sources: Type.Array(source, { description: "Earlier occurrences of the subject's words." }),
  derived: Type.Array(derived, { description: 'Items derived from the subject.' }),
  isRead: optional(Type.Boolean({ description: 'For a message or a call: whether the model reads it; false if a person removed it.' })),
  left: optional(Type.Array(text, { description: 'Plugins that could not delete derived data when a person removed it.' })),
});
