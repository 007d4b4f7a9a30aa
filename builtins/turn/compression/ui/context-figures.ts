// Computes the fill level of a chat's context window for the page, and stores the chat whose details are open.
import { handle, type Client, type ReplyOf, type WireEvent } from 'agent-harness/client';
import { perObject } from '#page/kit/per-object.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';

export type ContextFigures = ReplyOf<'GET /api/context'>;

export const percentOf = ({ used, limit }: ContextFigures): number => Math.min(100, Math.round((used / Math.max(1, limit)) * 100));

/** Usage in percent at which the ring appears next to the message field; below this value, only the composer menu shows the usage. */
export const ringFrom = 70;

/** Stores the chat whose details the user opened from the menu, as a new object each time. */
export const shownContextOf = perObject('shown context', (_: Client): ValueStore<{ readonly chatId?: string }> =>
  createValue<{ readonly chatId?: string }>({}),
);

/** Returns the warning level, with the same thresholds as the server's notices: 60 and 85 percent. */
export function levelOf(percent: number): 'full' | 'tight' | undefined {
  if (percent >= 85) return 'tight';
  return percent >= 60 ? 'full' : undefined;
}

const yes = (): true => true;

/** Returns whether an event may change the context usage of that chat. */
export function changesContext(event: WireEvent, chatId: string): boolean {
  if (event.chatId !== undefined && event.chatId !== chatId) return false;
  return (
    handle(event, { usage: yes, turn_end: yes, conversation_reset: yes }) ?? ['context_compressed', 'settings_changed', 'chat_updated'].includes(event.kind)
  );
}
