// Defines the descriptors of the session history tools; imports their code on the first call.
import * as Type from 'typebox';
import type { RunTool, ToolFamily } from 'agent-harness/plugins/tools';

const strict = { additionalProperties: false } as const;
const sessionId = Type.String({ minLength: 1, maxLength: 128, description: 'From cloud_session_search.' });

export function historyFamily(whyAsk: (chatId: string) => Promise<string | undefined>, load: () => Promise<Readonly<Record<string, RunTool>>>): ToolFamily {
  return {
    name: 'session_history',
    description: "Upload this chat to the user's account; search and read the chats stored there.",
    tools: [
      {
        name: 'cloud_session_upload',
        description: "Uploads this chat's new events to the user's account, with likely secrets redacted.",
        input: Type.Object({}, strict),
        effects: ['network'],
        undo: 'none',
        replay: 'idempotent',
        display: { icon: 'search' },
        needsApproval: (_: unknown, { chatId }) => whyAsk(chatId),
      },
      {
        name: 'cloud_session_search',
        description: "Searches the chats stored in the user's account; returns lines, newest first.",
        input: Type.Object(
          {
            query: Type.String({ minLength: 1, maxLength: 1_000, description: 'Words; "a phrase", or, -word.' }),
            cursor: Type.Optional(Type.String({ maxLength: 40, description: 'For the next page.' })),
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
        description: "Reads lines of a chat stored in the user's account.",
        input: Type.Object(
          {
            sessionId,
            line: Type.Optional(Type.Integer({ minimum: 0, description: 'First line; default 0.' })),
            count: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, description: 'Number of lines; default 40.' })),
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
