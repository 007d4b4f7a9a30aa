// Determines the origin of a message that no tool wrote.
import { isOwnersWord } from 'agent-harness/transcript';
import type { TextOrigin } from './contract.ts';

/** Returns the origin of a message, based on its sender. */
export function originOfMessage(message: Parameters<typeof isOwnersWord>[0] & { readonly messageId: string }): TextOrigin {
  if (isOwnersWord(message)) return { kind: 'user', ref: message.messageId };
  return { kind: 'teammate', ref: message.origin?.plugin ?? (message.principal ? 'a guest' : 'an imported chat'), isOutside: true };
}

export function originOfAnnouncement({ origin, untrusted }: { readonly origin: { readonly plugin: string }; readonly untrusted?: boolean }): TextOrigin {
  return { kind: 'service', ref: origin.plugin, ...(untrusted ? { isOutside: true } : {}) };
}
