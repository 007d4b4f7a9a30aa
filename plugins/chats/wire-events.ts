// Declares the chat events that clients receive.
import * as Type from 'typebox';
import type { WireEvent } from './contract.ts';

export const wireEvents: readonly WireEvent[] = [
  {
    name: 'chat_switched',
    description: 'Another chat is the active one now.',
    permission: 'chats.read',
    schema: Type.Object({ chatId: Type.String(), activeChatId: Type.String() }),
    keep: 'live',
  },
  {
    name: 'entry_marked',
    description: 'The labels of plugins on a message or a call changed: lists all of them, none after the last one was removed.',
    permission: 'chats.read',
    schema: Type.Object({
      chatId: Type.String(),
      entryId: Type.String({ description: 'Id of a message or a call.' }),
      marks: Type.Array(Type.String(), { description: 'For people: `Taken out of the conversation`.' }),
    }),
  },
  {
    name: 'entry_marks_changed',
    description: 'Plugins mark other entries now, in any chat: what is shown of a chat is read again.',
    permission: 'chats.read',
    schema: Type.Object({}),
    keep: 'live',
  },
  {
    name: 'chat_updated',
    description:
      'A chat was made, renamed, given another model, reasoning effort or mode, pinned, archived, tagged, forked, imported, reset, deleted, restored or erased; what is not so any more is told, too.',
    permission: 'chats.read',
    schema: Type.Object({
      chatId: Type.String(),
      change: Type.Union(
        ['created', 'renamed', 'model', 'effort', 'mode', 'pinned', 'archived', 'tags', 'deleted', 'restored', 'erased', 'forked', 'imported', 'reset'].map(
          (change) => Type.Literal(change),
        ),
      ),
      title: Type.Optional(Type.String()),
      mode: Type.Optional(Type.String()),
      pinned: Type.Optional(Type.Boolean()),
      archived: Type.Optional(Type.Boolean()),
      tags: Type.Optional(Type.Array(Type.String())),
      workspaceMode: Type.Optional(Type.String({ description: 'Of a new chat; with `workspaceRoot`, the journal alone identifies its workspace.' })),
      workspaceRoot: Type.Optional(Type.String({ 'x-permission': 'workspaces.read' })),
      imported: Type.Optional(Type.Object({ from: Type.String(), id: Type.String() }, { description: 'The program and id that it was imported from.' })),
      temporary: Type.Optional(Type.Literal(true)),
    }),
  },
];
