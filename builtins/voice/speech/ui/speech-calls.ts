// The calls and events of this feature.
import type { Client, WireEvent } from 'agent-harness/client';
import type { SpokenClip } from './clip-order.ts';

export interface Heard {
  readonly chatId: string;
  readonly epoch: number;
  readonly seq: number;
  readonly heardChars: number;
  readonly reason: 'barge_in' | 'stop' | 'finished';
}

export interface ReadClip {
  readonly clipId: string;
  readonly url: string;
  readonly text: string;
}

interface SpeechCalls {
  'PUT /api/tts/speaker': { readonly body: { readonly chatId: string; readonly speakerId: string; readonly on: boolean }; readonly reply: unknown };
  'POST /api/tts/heard': { readonly body: Heard; readonly reply: unknown };
  'POST /api/tts': {
    readonly body: { readonly text: string; readonly chatId: string; readonly wait: boolean };
    readonly reply: { readonly clips: readonly ReadClip[]; readonly cost: number | null; readonly taken: number };
  };
}

export function callSpeech<K extends keyof SpeechCalls>(
  client: Client,
  key: K,
  body: SpeechCalls[K]['body'],
  signal?: AbortSignal,
): Promise<SpeechCalls[K]['reply']> {
  const input = { body, ...(signal ? { signal } : {}) };
  return (client.call as unknown as (key: K, input: object) => Promise<SpeechCalls[K]['reply']>)(key, input);
}

type Fields = Readonly<Record<string, unknown>>;

/** The clip that an event brings; `undefined` for other events. */
export function clipOf(event: WireEvent): SpokenClip | undefined {
  const { kind, chatId, epoch, seq, url, text } = event as Fields;
  if (kind !== 'speak' || typeof chatId !== 'string' || typeof epoch !== 'number' || typeof seq !== 'number') return undefined;
  return typeof url === 'string' && typeof text === 'string' ? { chatId, epoch, seq, url, text } : undefined;
}

/** A part that is not to be heard, and why. */
export function failureOf(event: WireEvent): (Pick<SpokenClip, 'chatId' | 'epoch' | 'seq'> & { readonly message: string }) | undefined {
  const { kind, chatId, epoch, seq, message } = event as Fields;
  if (kind !== 'speak_failed' || typeof chatId !== 'string' || typeof epoch !== 'number' || typeof seq !== 'number') return undefined;
  return { chatId, epoch, seq, message: String(message) };
}

export interface SpeakerNow {
  readonly chatId: string;
  /** Nobody where it is missing. */
  readonly speakerId: string | undefined;
  /** What is of an earlier one stops now. */
  readonly epoch: number;
}

/** Who speaks a chat from now on. */
export function speakerOf(event: WireEvent): SpeakerNow | undefined {
  const { kind, chatId, speakerId, epoch } = event as Fields;
  if (kind !== 'speaker' || typeof chatId !== 'string') return undefined;
  return { chatId, speakerId: typeof speakerId === 'string' ? speakerId : undefined, epoch: typeof epoch === 'number' ? epoch : 0 };
}
