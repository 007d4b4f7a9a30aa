// The events of this plugin as clients see them.
import * as Type from 'typebox';
import type { WireEvent } from './contract.ts';

export const wireEvents: readonly WireEvent[] = [
  {
    name: 'chat_switched',
    description: 'Another chat is the active one now.',
    schema: Type.Object({ chatId: Type.String(), activeChatId: Type.String() }),
    keep: 'live',
  },
  {
    name: 'chat_updated',
    description:
      'A chat was made, renamed, given another model or mode, pinned, archived, tagged, forked, reset, deleted, restored or erased; what is not so any more is told, too.',
    schema: Type.Object({
      chatId: Type.String(),
      change: Type.Union(
        ['created', 'renamed', 'model', 'mode', 'pinned', 'archived', 'tags', 'deleted', 'restored', 'erased', 'forked', 'reset'].map((change) =>
          Type.Literal(change),
        ),
      ),
      title: Type.Optional(Type.String()),
      mode: Type.Optional(Type.String()),
      pinned: Type.Optional(Type.Boolean()),
      archived: Type.Optional(Type.Boolean()),
      tags: Type.Optional(Type.Array(Type.String())),
      workspaceMode: Type.Optional(Type.String({ description: 'Of a chat that was made; with `workspaceRoot` the journal alone tells where it works.' })),
      workspaceRoot: Type.Optional(Type.String()),
    }),
  },
];
