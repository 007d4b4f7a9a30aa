// Serves `GET /api/why`: an explanation as data.
import * as Type from 'typebox';
import type { Route } from 'agent-harness/plugins/http';
import type { Why } from './contract.ts';

const optional = Type.Optional;
const text = Type.String();
const id = (description: string) => optional(Type.String({ minLength: 1, maxLength: 500, description }));
const fields = {
  turn: id('A turn; the last one in which a model was asked where nothing is named.'),
  call: id('A call of a tool.'),
  message: id('A message of a person, a plugin or the model.'),
  section: id('A part of the prompt of the turn, by its id.'),
  note: id('`type:key`.'),
  source: id('A file, a page, or whatever else an origin names: what came from it.'),
  text: optional(
    Type.String({ minLength: 1, maxLength: 1_000, description: 'A sentence or any other words; of the turn, message or call that is named with it.' }),
  ),
  of: optional(Type.Literal('chat', { description: 'The chat as a whole: what came from it.' })),
};
const chatId = optional(Type.String({ pattern: '^chat_[0-9A-HJKMNP-TV-Z]{26}$', description: 'The active one when left out.' }));
const asks = optional(Type.Object({ chatId, ...fields }, { description: 'What to ask about next.' }));
const ofPlugin = { plugin: optional(text), hook: optional(text) };

const schema = {
  query: Type.Object({ chatId, ...fields }, { additionalProperties: false }),
  reply: Type.Object({
    title: text,
    says: Type.Array(text, { description: 'Sentences for people; they say so where nothing is known.' }),
    parts: Type.Array(Type.Object({ kind: text, text, by: text, ...ofPlugin, asks }), { description: 'What it is made of, and who made that so.' }),
    sources: Type.Array(Type.Object({ kind: text, ref: text, quote: optional(text), field: optional(text), asks }), {
      description: 'Where its words stood before.',
    }),
    derived: Type.Array(
      Type.Object({ kind: text, id: text, key: text, scope: optional(text), where: optional(text), isYours: optional(Type.Boolean()), text, how: text }),
      {
        description: 'What would not be there without it.',
      },
    ),
    isRead: optional(Type.Boolean({ description: 'Of a message or a call: whether the model reads it, or a person took it out.' })),
    left: optional(Type.Array(text, { description: 'Plugins that could not drop what they made of it when a person took it out.' })),
  }),
};

/** @param chatOf returns the id of the requested chat */
export function whyRoute(why: () => Promise<Pick<Why, 'explain'>>, chatOf: (given: string | undefined) => Promise<string>): Route<typeof schema> {
  return {
    key: 'GET /api/why',
    summary:
      'Why a turn, a call, a message, a sentence or a note is as it is: which message, file, page, note, hook and plugin made it so, and what came from it.',
    tag: 'chats',
    schema,
    async handle({ query: { chatId: given, ...asked } }) {
      return (await (await why()).explain({ chatId: await chatOf(given), ...asked })) as never;
    },
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/why': typeof schema;
  }
}
