// Declares the chat events that clients receive.
import * as Type from 'typebox';
import type { WireEvent } from './contract.ts';

export const wireEvents: readonly WireEvent[] = [
  {
    name: 'chat_switched',
    description: 'The active chat changed.',
    permission: 'chats.read',
    schema: Type.Object({ chatId: Type.String(), activeChatId: Type.String() }),
    keep: 'live',
  },
  {
    name: 'entry_marked',
    description: 'The labels that plugins added to a message or a call changed. Lists all current labels.',
    permission: 'chats.read',
    schema: Type.Object({
      chatId: Type.String(),
      entryId: Type.String({ description: 'Id of a message or a call.' }),
      marks: Type.Array(Type.String(), { description: 'Display texts of the labels, for example `Removed from the conversation`.' }),
    }),
  },
  {
    name: 'entry_marks_changed',
    description: 'Labels in any chat may have changed because a plugin was loaded or unloaded. Clients read the labels of the displayed chat again.',
    permission: 'chats.read',
    schema: Type.Object({}),
    keep: 'live',
  },
  {
    name: 'chat_updated',
    description:
      'A chat was created, changed (title, model, reasoning effort, mode, tags, pinned or unpinned, archived or unarchived), forked, imported, reset, deleted, restored or erased.',
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
      workspaceMode: Type.Optional(
        Type.String({ description: 'Workspace mode of a new chat; with `workspaceRoot`, it allows rebuilding the chat from its journal alone.' }),
      ),
      workspaceRoot: Type.Optional(Type.String({ 'x-permission': 'workspaces.read' })),
      imported: Type.Optional(
        Type.Object({ from: Type.String(), id: Type.String() }, { description: 'For an imported chat: the source program and the id in it.' }),
      ),
      temporary: Type.Optional(Type.Literal(true)),
    }),
  },
];
