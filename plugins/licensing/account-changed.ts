// The event about tier and entitlements, as clients see it.
import * as Type from 'typebox';
import type { WireEvent } from 'agent-harness/plugins/chats';

export const accountChanged: WireEvent = {
  name: 'account_changed',
  description: 'Somebody signed in or out, or the license changed its state.',
  permission: 'owner',
  schema: Type.Object({ tier: Type.String(), status: Type.String(), entitlements: Type.Array(Type.String()) }, { additionalProperties: false }),
  keep: 'live',
};
