// Parses the transcription reply of a server: text, audio information and cost.
import { textStart } from '#lib/text';
import type { Segment, Transcript } from 'agent-harness/builtins/voice/audio-engines';
import { isRecord, jsonOf } from '#lib/values';
import type { ProviderReply } from 'agent-harness/plugins/models';
import { priceOf } from './prices.ts';

const mostSegments = 50_000;

/** Data that is known without the reply. */
export interface KnownBefore {
  readonly model: string;
  readonly host: string;
  /** Duration of the file, if the file states it. */
  readonly seconds: number | undefined;
  /** Requested language. */
  readonly language: string | undefined;
  /** Whether the service charges for transcriptions. */
  readonly isPaid: boolean;
}

/** Parses a reply; returns the reason if it is invalid. */
export function readReply(reply: ProviderReply, before: KnownBefore): Transcript | string {
  const { mediaType, bytes } = reply;
  if (mediaType === 'text/plain') return { text: bytes.toString('utf8').trim(), ...restOf({}, before) };
  const answer = jsonOf(bytes.toString('utf8'));
  if (!isRecord(answer)) return mediaType === 'text/html' ? 'it is a page' : 'it is not JSON';
  if (typeof answer['text'] !== 'string') return 'it has no text';
  const segments = segmentsIn(answer);
  return { text: answer['text'].trim(), ...restOf(answer, before), ...(segments === undefined ? {} : { segments }) };
}

/** Returns the cost in USD; `undefined` if unknown. A cost in the reply takes precedence. */
export function costIn(reply: ProviderReply, before: KnownBefore): number | undefined {
  const answer = reply.mediaType === 'text/plain' ? {} : jsonOf(reply.bytes.toString('utf8'));
  return isRecord(answer) ? costOf(answer, before) : undefined;
}

function restOf(answer: Readonly<Record<string, unknown>>, before: KnownBefore): Omit<Transcript, 'text' | 'segments'> {
  const durationSec = secondsIn(answer, before);
  const { language } = answer;
  return {
    ...(durationSec === undefined ? {} : { durationSec }),
    language: typeof language === 'string' ? textStart(language, 64) : (before.language ?? ''),
    cost: costOf(answer, before) ?? null,
    model: before.model,
  };
}

function costOf(answer: Readonly<Record<string, unknown>>, before: KnownBefore): number | undefined {
  const usage = isRecord(answer['usage']) ? answer['usage'] : {};
  const reportedCost = amount(usage['cost']);
  if (reportedCost !== undefined) return reportedCost;
  if (!before.isPaid) return undefined;
  return priceOf(before.model, { seconds: secondsIn(answer, before), input: amount(usage['input_tokens']), output: amount(usage['output_tokens']) });
}

function secondsIn(answer: Readonly<Record<string, unknown>>, before: KnownBefore): number | undefined {
  const usage = isRecord(answer['usage']) ? answer['usage'] : {};
  return amount(answer['duration']) ?? amount(usage['seconds']) ?? before.seconds;
}

/** Converts an amount to a number, because some servers write numbers as strings. */
function amount(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** Returns words if available, otherwise segments. Omits entries without times. */
function segmentsIn({ words, segments }: Readonly<Record<string, unknown>>): Segment[] | undefined {
  const list = Array.isArray(words) && words.length > 0 ? words : segments;
  if (!Array.isArray(list)) return undefined;
  return (list as readonly unknown[]).slice(0, mostSegments).flatMap((entry): Segment[] => {
    if (!isRecord(entry)) return [];
    const [start, end, noSpeech] = [amount(entry['start']), amount(entry['end']), amount(entry['no_speech_prob'])];
    const text = typeof entry['text'] === 'string' ? entry['text'] : entry['word'];
    if (start === undefined || end === undefined || typeof text !== 'string') return [];
    return [{ start, end, text: text.trim(), ...(noSpeech === undefined ? {} : { noSpeech }) }];
  });
}
