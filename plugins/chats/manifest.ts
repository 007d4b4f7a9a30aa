// Declares the name, services, events and settings of chats.
import * as Type from 'typebox';
import type { PluginManifest } from 'agent-harness/kernel';

export const manifest = {
  name: 'chats',
  requires: ['product', 'storage', 'journals', 'exactFiles'],
  provides: ['chats', 'eventLog'],
  events: ['chat_switched', 'chat_updated', 'entry_marked', 'entry_marks_changed'],
  config: Type.Object({
    workspaceRoot: Type.Optional(
      Type.String({
        env: 'AGENT_WORKSPACE_ROOT',
        title: 'Workspace of the first chat',
        description: 'Absolute path of the workspace of chats that are created without one. Default: the folder in which the server was started.',
        apply: 'restart',
      }),
    ),
    keepsFullOutput: Type.Boolean({
      default: true,
      env: 'AGENT_SESSION_JSONL',
      words: 'history disk logs transcript',
      tab: 'session_ui',
      title: 'Store full tool output',
      description: 'Stores the complete output of tools in the journal of a chat. If off, only the first 2,000 characters are stored.',
      apply: 'live',
    }),
  }),
  errors: {
    NOT_FOUND: { message: "The {what} '{id}' does not exist.", status: 404 },
    INVALID_REQUEST: { message: '{why}', status: 400 },
    HOME_IN_USE: { message: "Another server is using the home folder '{home}'. Stop that server, or start this one with another home folder.", status: 503 },
    JOURNAL_CUT: { message: "The end of the journal of {chatId} ({bytes} bytes) could not be read and was moved to '{movedTo}'." },
    JOURNAL_BROKEN: { message: 'The journal of {chatId} has an unreadable line at byte {start}, which was skipped.' },
    JOURNAL_UNWRITABLE: {
      message: 'The journal of {chatId} cannot be written: {why}. Free space on the disk, or check the permissions of the file.',
      status: 503,
    },
    EVENT_ID_BROKEN: { message: 'The file of event ids could not be read and was moved to {movedTo}. New ids continue after the highest id in the journals.' },
  },
} as const satisfies PluginManifest;
