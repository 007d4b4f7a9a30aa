// Defines the descriptors of the session history tools; imports their code on the first call.
import * as Type from 'typebox';
import type { RunTool, ToolFamily } from 'agent-harness/plugins/tools';

const strict = { additionalProperties: false } as const;
const sessionId = Type.String({ minLength: 1, maxLength: 128, description: 'As cloud_session_search says it.' });

export function historyFamily(whyAsk: (chatId: string) => Promise<string | undefined>, load: () => Promise<Readonly<Record<string, RunTool>>>): ToolFamily {
  return {
    name: 'session_history',
    description: "Keep this chat in the person's account, and find and read the chats that are kept there.",
    tools: [
      {
        name: 'cloud_session_upload',
        description: "Sends what is new in this chat to the person's account, without what looks like a secret.",
        input: Type.Object({}, strict),
        effects: ['network'],
        undo: 'none',
        replay: 'idempotent',
        display: { icon: 'search' },
        needsApproval: (_: unknown, { chatId }) => whyAsk(chatId),
      },
      {
        name: 'cloud_session_search',
        description: "Finds lines in the chats that are kept in the person's account, the newest first.",
        input: Type.Object(
          {
            query: Type.String({ minLength: 1, maxLength: 1_000, description: 'Words; "a phrase", or, -without.' }),
            cursor: Type.Optional(Type.String({ maxLength: 40, description: 'Of the page before.' })),
          },
          strict,
        ),
        effects: ['read', 'network'],
        undo: 'none',
        replay: 'pure',
        display: { icon: 'search' },
      },
      {
        name: 'cloud_session_fetch',
        description: "Reads a chat that is kept in the person's account, from a line on.",
        input: Type.Object(
          {
            sessionId,
            line: Type.Optional(Type.Integer({ minimum: 0, description: 'The first line; 0 when left out.' })),
            count: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'How many lines; 40 when left out.' })),
          },
          strict,
        ),
        effects: ['read', 'network'],
        undo: 'none',
        replay: 'pure',
        display: { icon: 'search' },
      },
    ],
    load,
  };
}
