// Serves `GET /api/why`, which returns an explanation as data.
import type { Route } from 'agent-harness/plugins/http';
import type { Why } from './contract.ts';
import { answerSchema, questionSchema } from './why-schema.ts';

const schema = { query: questionSchema, reply: answerSchema };

export function whyRoute(why: Pick<Why, 'explain'>): Route<typeof schema> {
  return {
    key: 'GET /api/why',
    summary:
      'Explains a turn, a call, a message, a sentence or a note: the messages, files, pages, notes, hooks and plugins that caused it, and the items derived from it.',
    tag: 'chats',
    schema,
    handle: async ({ query }) => (await why.explain(query)) as never,
  };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/why': typeof schema;
  }
}
