// Parses the model's reply in a heartbeat run. Returns the JSON object of the requested format, or the reason for its rejection. Pure.
import { hasSecret } from '#lib/secrets';
import { stripHidden } from '#lib/hidden-text';
import { oneLine } from '#lib/text';
import { answeredJson, isRecord } from '#lib/values';
import type { Nudge } from './contract.ts';

export interface MemoryCandidate {
  readonly key: string;
  readonly value: string;
  /** The user's words on which the candidate is based. */
  readonly quote: string;
}

export interface Beat {
  readonly reflections: readonly string[];
  readonly candidates: readonly MemoryCandidate[];
  readonly nudge?: Nudge;
}

export type BadReply = 'not_json' | 'half_json' | 'wrong_shape' | 'too_long';

const most = { reflections: 10, candidates: 10, text: 600, nudge: 400, key: 200 } as const;

export function readBeat(text: string, isCutOff: boolean): Beat | { readonly failure: BadReply } {
  const found = answeredJson(text);
  if (!isRecord(found)) {
    if (isCutOff) return { failure: 'too_long' };
    return { failure: /^\W*(?:json\s*)?\{/i.test(text) ? 'half_json' : found === undefined ? 'not_json' : 'wrong_shape' };
  }
  const { reflections, memoryCandidates, nudge } = found;
  if (!Array.isArray(reflections) || !reflections.every(isText) || !Array.isArray(memoryCandidates) || !memoryCandidates.every(isCandidate)) return wrongShape;
  if (nudge !== null && !isNudge(nudge)) return wrongShape;
  const texts = [...reflections, ...memoryCandidates.flatMap(({ value, quote }) => [value, quote])];
  const isTooLong =
    reflections.length > most.reflections ||
    memoryCandidates.length > most.candidates ||
    texts.some((one) => one.length > most.text) ||
    memoryCandidates.some(({ key }) => key.length > most.key) ||
    (nudge !== null && nudge.text.length > most.nudge);
  if (isTooLong) return { failure: 'too_long' };
  return {
    reflections: reflections.map(clean).filter(isKept),
    candidates: memoryCandidates.map(({ key, value, quote }) => ({ key: clean(key), value: clean(value), quote })).filter(({ value }) => isKept(value)),
    ...(nudge !== null && isKept(clean(nudge.text)) ? { nudge: { text: clean(nudge.text), confidence: nudge.confidence } } : {}),
  };
}

const wrongShape = { failure: 'wrong_shape' } as const;
const clean = (text: string): string => oneLine(stripHidden(text));
const isKept = (text: string): boolean => text !== '' && !hasSecret(text);
const isText = (one: unknown): one is string => typeof one === 'string';

function isCandidate(one: unknown): one is MemoryCandidate {
  return isRecord(one) && isText(one['key']) && isText(one['value']) && isText(one['quote']);
}

function isNudge(one: unknown): one is Nudge {
  if (!isRecord(one) || !isText(one['text'])) return false;
  const { confidence } = one;
  return typeof confidence === 'number' && confidence >= 0 && confidence <= 1;
}
