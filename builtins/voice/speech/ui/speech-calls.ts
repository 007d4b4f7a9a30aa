// Defines the events of speech, and the types of its calls.
import type { ReplyOf, RequestBody, WireEvent } from 'agent-harness/client';
import type { SpokenClip } from './clip-order.ts';

export type Heard = RequestBody<'POST /api/tts/heard'> & { readonly chatId: string };
export type ReadClip = ReplyOf<'POST /api/tts'>['clips'][number];

type Fields = Readonly<Record<string, unknown>>;

/** Returns the clip of an event; `undefined` for other events. */
export function clipOf(event: WireEvent): SpokenClip | undefined {
  const { kind, chatId, epoch, seq, url, text } = event as Fields;
  if (kind !== 'speak' || typeof chatId !== 'string' || typeof epoch !== 'number' || typeof seq !== 'number') return undefined;
  return typeof url === 'string' && typeof text === 'string' ? { chatId, epoch, seq, url, text } : undefined;
}

/** Returns a part that cannot be played, with the reason. */
export function failureOf(event: WireEvent): (Pick<SpokenClip, 'chatId' | 'epoch' | 'seq'> & { readonly message: string }) | undefined {
  const { kind, chatId, epoch, seq, message } = event as Fields;
  if (kind !== 'speak_failed' || typeof chatId !== 'string' || typeof epoch !== 'number' || typeof seq !== 'number') return undefined;
  return { chatId, epoch, seq, message: String(message) };
}

export interface SpeakerNow {
  readonly chatId: string;
  /** Omitted if no client plays the replies. */
  readonly speakerId: string | undefined;
  /** Parts of earlier epochs stop now. */
  readonly epoch: number;
  readonly reason: string;
}

/** Returns the client that speaks a chat from now on. */
export function speakerOf(event: WireEvent): SpeakerNow | undefined {
  const { kind, chatId, speakerId, epoch, reason } = event as Fields;
  if (kind !== 'speaker' || typeof chatId !== 'string') return undefined;
  return { chatId, speakerId: typeof speakerId === 'string' ? speakerId : undefined, epoch: typeof epoch === 'number' ? epoch : 0, reason: String(reason) };
}
