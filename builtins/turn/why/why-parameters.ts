// Defines the parameters of the explanation view.
import type { ViewInput } from 'agent-harness/plugins/views';

export const parameters: ViewInput = {
  type: 'object',
  title: /* t */ 'Explain something else',
  properties: {
    text: { type: 'string', title: /* t */ 'A sentence', description: /* t */ 'Words of an answer, a call, or the model input.', maxLength: 1_000 },
    about: {
      type: 'string',
      title: /* t */ 'Or an item',
      description: /* t */ 'turn, call, message, note or source, with its id, such as note fact:editor; or chat. Default: the last turn.',
      maxLength: 500,
    },
    chat: { type: 'string', title: /* t */ 'Chat', format: 'chat', maxLength: 100 },
  },
};
