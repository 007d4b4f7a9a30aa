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
        description: 'Absolute path of the folder that a chat works in when it names none; the folder the server was started in when unset.',
        apply: 'restart',
      }),
    ),
    keepsFullOutput: Type.Boolean({
      default: true,
      env: 'AGENT_SESSION_JSONL',
      words: 'history disk logs transcript',
      tab: 'session_ui',
      title: 'Store full tool output',
      description: 'Stores the whole output of tools in the journal of a chat; when off, only what replay and recovery need.',
      apply: 'live',
    }),
  }),
  errors: {
    NOT_FOUND: { message: "There is no {what} '{id}'.", status: 404 },
    INVALID_REQUEST: { message: '{why}', status: 400 },
    HOME_IN_USE: { message: "Another server uses the home folder '{home}'. Stop it, or give this one a folder of its own.", status: 503 },
    JOURNAL_CUT: { message: "The end of the journal of {chatId} ({bytes} bytes) cannot be read; it was moved to '{aside}'." },
    JOURNAL_BROKEN: { message: 'A line of the journal of {chatId} cannot be read (at byte {start}); it is skipped.' },
    JOURNAL_UNWRITABLE: { message: 'The journal of {chatId} cannot be written: {why}. Free space on the disk or check its rights.', status: 503 },
    EVENT_ID_BROKEN: { message: 'The file of event ids could not be read and was moved to {movedTo}; ids go on after those in the journals.' },
  },
} as const satisfies PluginManifest;
