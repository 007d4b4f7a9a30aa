// How full the context is, as the ring and its card say it. Pure.
import { handle, type ReplyOf, type WireEvent } from 'agent-harness/client';

export type ContextFigures = ReplyOf<'GET /api/context'>;

export const percentOf = ({ used, limit }: ContextFigures): number => Math.min(100, Math.round((used / Math.max(1, limit)) * 100));

/** Where the server tells of it, too: at 60 and at 85 percent. */
export function levelOf(percent: number): 'full' | 'tight' | undefined {
  if (percent >= 85) return 'tight';
  return percent >= 60 ? 'full' : undefined;
}

const yes = (): true => true;

/** Whether the figures of that chat may be others after the event. */
export function changesContext(event: WireEvent, chatId: string): boolean {
  if (event.chatId !== undefined && event.chatId !== chatId) return false;
  return (
    handle(event, { usage: yes, turn_end: yes, conversation_reset: yes }) ?? ['context_compressed', 'settings_changed', 'chat_updated'].includes(event.kind)
  );
}
