// What clients hear when a connection changes.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

export const changedEvent: WireEvent = {
  name: 'integration_changed',
  description: 'A connection or an account came, went or changed its status.',
  permission: 'owner',
  keep: 'live',
  schema: Type.Object({
    connectionKind: Type.String({ description: 'As its source says, or `provider` for an account.' }),
    name: Type.String(),
    status: Type.String(),
  }),
};
