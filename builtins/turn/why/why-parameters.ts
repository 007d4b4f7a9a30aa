// Defines the parameters of the explanation view.
import type { ViewInput } from 'agent-harness/plugins/views';

export const parameters: ViewInput = {
  type: 'object',
  title: /* t */ 'Ask about something else',
  properties: {
    text: { type: 'string', title: /* t */ 'A sentence', description: /* t */ 'Of an answer, of a call, of what the model was told.', maxLength: 1_000 },
    about: {
      type: 'string',
      title: /* t */ 'Or a thing',
      description: /* t */ 'turn, call, message, note or source, and its id: note fact:editor; or chat. Left empty: the last turn.',
      maxLength: 500,
    },
    chat: { type: 'string', title: /* t */ 'Chat', format: 'chat', maxLength: 100 },
  },
};
