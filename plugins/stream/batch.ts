// Encodes a batch of event frames once for all readers of the event stream.
import type { Chats, EventFrame } from 'agent-harness/plugins/chats';
import type { Wire } from 'agent-harness/plugins/stream';
import type { Audience } from './audience.ts';

/** The events that a reader selected: all events, those of one chat, or those of the active chat. */
export type View = { readonly audience: Audience } & (
  { readonly kind: 'all' } | { readonly kind: 'chat'; readonly chatId: string } | { readonly kind: 'follow'; readonly chatId: string }
);

/** Returns the view of a reader. Rejects if the chat does not exist. */
export async function viewOf(chatId: string | undefined, audience: Audience, chats: Chats): Promise<View> {
  if (chatId === 'all') return { kind: 'all', audience };
  const found = await chats.peek(chatId);
  // The active chat may have changed in the meantime.
  return chatId === undefined ? { kind: 'follow', chatId: chats.activeId ?? found.chatId, audience } : { kind: 'chat', chatId: found.chatId, audience };
}

export interface Batch {
  readonly firstId: number;
  readonly lastId: number;
  framesFor(view: View): readonly EventFrame[];
  /** Returns the same buffer for every reader with the same view, rights and encoding; `undefined` if the batch has no frame for it. */
  bytesFor(view: View, wire: Wire): Buffer | undefined;
}

/** Creates a batch. @param frames frames ordered by id; at least one */
export function createBatch(frames: readonly EventFrame[]): Batch {
  const texts = new Map<string, string[]>();
  const bytes = new Map<string, Buffer | undefined>();

  function encode(view: View, wire: Wire): Buffer | undefined {
    const made = texts.get(wire.name) ?? [];
    texts.set(wire.name, made);
    const seen = frames.flatMap((frame, index) => {
      if (!isSeenBy(view, frame)) return [];
      const own = view.audience.frameFor(frame);
      return [own === frame ? (made[index] ??= wire.event(frame)) : wire.event(own)];
    });
    return seen.length === 0 ? undefined : wire.bytesOf(seen);
  }

  return {
    firstId: frames[0]?.id ?? 0,
    lastId: frames[frames.length - 1]?.id ?? 0,
    framesFor: (view) => frames.flatMap((frame) => (isSeenBy(view, frame) ? [view.audience.frameFor(frame)] : [])),
    bytesFor(view, wire) {
      const key = `${wire.name}:${view.kind}:${view.kind === 'all' ? '' : view.chatId}:${view.audience.key}`;
      if (!bytes.has(key)) bytes.set(key, encode(view, wire));
      return bytes.get(key);
    },
  };
}

/** Splits the frames after each `chat_switched`, because readers of the active chat then continue with another chat. */
export function splitAtSwitches(frames: readonly EventFrame[]): (readonly EventFrame[])[] {
  const parts: (readonly EventFrame[])[] = [];
  let start = 0;
  frames.forEach((frame, index) => {
    if (frame.kind !== 'chat_switched') return;
    parts.push(frames.slice(start, index + 1));
    start = index + 1;
  });
  if (start === 0) return [frames];
  if (start < frames.length) parts.push(frames.slice(start));
  return parts;
}

/** Returns whether a view includes a frame and its reader may read it. */
export function isSeenBy(view: View, frame: EventFrame): boolean {
  return isInView(view, frame) && view.audience.hears(frame);
}

function isInView(view: View, { chatId, kind }: EventFrame): boolean {
  if (view.kind === 'all' || chatId === undefined || chatId === view.chatId) return true;
  return view.kind === 'follow' && (kind === 'chat_switched' || kind === 'chat_updated');
}

/** Encodes an event that is sent to readers only. It has no id, because a replay cannot start after it. */
export function encodeNotice(wire: Wire, kind: string, fields: Readonly<Record<string, unknown>> & { readonly chatId?: string | null }): string {
  return wire.notice(kind, JSON.stringify({ kind, at: new Date().toISOString(), ...fields }), fields.chatId ?? undefined);
}
