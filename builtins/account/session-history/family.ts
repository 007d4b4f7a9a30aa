// Defines the descriptors of the session history tools and imports their code on the first call.
import * as Type from 'typebox';
import type { RunTool, ToolFamily } from 'agent-harness/plugins/tools';

const strict = { additionalProperties: false } as const;
const sessionId = Type.String({ minLength: 1, maxLength: 128, description: 'Session id from cloud_session_search.' });

export function historyFamily(
  approvalReason: (chatId: string) => Promise<string | undefined>,
  load: () => Promise<Readonly<Record<string, RunTool>>>,
): ToolFamily {
  return {
    name: 'session_history',
    description: "Store this chat in the user's account, and search and read the stored chats.",
    tools: [
      {
        name: 'cloud_session_upload',
        description: "Uploads the new events of this chat to the user's account, without possible secrets.",
        input: Type.Object({}, strict),
        effects: ['network'],
        undo: 'none',
        replay: 'idempotent',
        display: { icon: 'search' },
        needsApproval: (_: unknown, { chatId }) => approvalReason(chatId),
      },
      {
        name: 'cloud_session_search',
        description: "Searches lines in the chats stored in the user's account, newest first.",
        input: Type.Object(
          {
            query: Type.String({ minLength: 1, maxLength: 1_000, description: 'Words to search for; supports "a phrase", or, and -excluded.' }),
            cursor: Type.Optional(Type.String({ maxLength: 40, description: 'Cursor from the previous page.' })),
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
        description: "Reads a chat stored in the user's account, from a given line.",
        input: Type.Object(
          {
            sessionId,
            line: Type.Optional(Type.Integer({ minimum: 0, description: 'First line; default: 0.' })),
            count: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Number of lines; default: 40.' })),
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
