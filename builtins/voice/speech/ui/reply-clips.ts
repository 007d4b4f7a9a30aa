// Orders the received clips of each chat, and skips a clip that is missing for too long.
import { createClipOrder, type ClipOrder, type SpokenClip } from './clip-order.ts';

export interface ReplyClips {
  /** Returns the order of a chat, which is created at first use. */
  of(chatId: string): ClipOrder;
  /** Returns the order of a chat that has received clips. */
  find(chatId: string): ClipOrder | undefined;
  /** Returns the next clip of any chat. */
  next(): SpokenClip | undefined;
  /** Restarts the wait for missing clips. */
  watchGap(): void;
}

/** Maximum wait for a missing sentence while later ones are available, in milliseconds. */
const gapMs = 3_000;

/** @param onLate called after the wait with the clips that follow a missing one */
export function createReplyClips(onLate: (clips: readonly SpokenClip[]) => void): ReplyClips {
  const orders = new Map<string, ClipOrder>();
  let gap: ReturnType<typeof setTimeout> | undefined;

  return {
    of(chatId) {
      const found = orders.get(chatId) ?? createClipOrder();
      orders.set(chatId, found);
      return found;
    },
    find: (chatId) => orders.get(chatId),
    next() {
      for (const order of orders.values()) {
        const clip = order.next();
        if (clip) return clip;
      }
      return undefined;
    },
    watchGap() {
      clearTimeout(gap);
      gap = setTimeout(() => onLate([...orders.values()].flatMap((order) => (order.hasGap ? (order.next(true) ?? []) : []))), gapMs);
    },
  };
}
