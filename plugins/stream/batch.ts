// What one pass of the event log hands out, encoded once for all readers.
import type { EventFrame } from 'agent-harness/plugins/chats';

/** What a reader gets: everything, one chat, or whichever chat is the active one. */
export type View = { readonly kind: 'all' } | { readonly kind: 'chat'; readonly chatId: string } | { readonly kind: 'follow'; readonly chatId: string };

export interface Batch {
  readonly firstId: number;
  readonly lastId: number;
  framesFor(view: View): readonly EventFrame[];
  /** The same buffer for every reader with the same view; `undefined` when there is nothing for it. */
  bytesFor(view: View): Buffer | undefined;
}

/** @param frames in order of ids, not empty */
export function createBatch(frames: readonly EventFrame[]): Batch {
  const texts: (string | undefined)[] = [];
  const bytes = new Map<string, Buffer | undefined>();

  function encode(view: View): Buffer | undefined {
    let text = '';
    frames.forEach((frame, index) => {
      if (isSeenBy(view, frame)) text += texts[index] ??= encodeFrame(frame);
    });
    return text === '' ? undefined : Buffer.from(text, 'utf8');
  }

  return {
    firstId: frames[0]?.id ?? 0,
    lastId: frames[frames.length - 1]?.id ?? 0,
    framesFor: (view) => frames.filter((frame) => isSeenBy(view, frame)),
    bytesFor(view) {
      const key = view.kind === 'all' ? 'all' : `${view.kind}:${view.chatId}`;
      if (!bytes.has(key)) bytes.set(key, encode(view));
      return bytes.get(key);
    },
  };
}

/** Cuts after each `chat_switched`, since whoever follows the active chat sees another one from there on. */
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

export function isSeenBy(view: View, { chatId, kind }: EventFrame): boolean {
  if (view.kind === 'all' || chatId === undefined || chatId === view.chatId) return true;
  return view.kind === 'follow' && (kind === 'chat_switched' || kind === 'chat_updated');
}

export function encodeFrame({ id, json }: EventFrame): string {
  return `id: ${id}\ndata: ${json}\n\n`;
}

/** A frame that only readers see: it has no id, so nobody asks for what comes after it. */
export function encodeNotice(kind: string, fields: object): string {
  return `data: ${encodeNoticeJson(kind, fields)}\n\n`;
}

export function encodeNoticeJson(kind: string, fields: object): string {
  return JSON.stringify({ kind, at: new Date().toISOString(), ...fields });
}
