// Defines the wire event of the vault.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

const actions = ['search', 'read', 'links', 'create', 'append', 'replace', 'auto_write', 'skip_duplicate', 'skip_unlinked', 'episode'];

export const activityEvent: WireEvent = {
  name: 'vault_activity',
  description: 'A note of the vault was searched, read, written or skipped. `count`: number of such actions since the server started.',
  permission: 'chats.read',
  schema: Type.Object({
    chatId: Type.String(),
    turnId: Type.String(),
    action: Type.Union(actions.map((action) => Type.Literal(action))),
    path: Type.Optional(Type.String({ description: 'Relative to the vault.' })),
    count: Type.Integer(),
  }),
};
