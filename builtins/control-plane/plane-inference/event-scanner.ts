// Scans the bytes of a provider's event stream for the ends of events and the usage event, without changing the stream. Pure.
import { isRecord, jsonOf } from '#lib/values';
import type { ReportedUsage } from './price.ts';

export interface EventScanner {
  /** Returns the bytes to forward now, usually the chunk itself. */
  take(chunk: Buffer): readonly Buffer[];
  /** Returns the bytes of an incomplete event that were held back. */
  end(): readonly Buffer[];
  /** Returns the provider's last reported usage. */
  usage(): ReportedUsage | undefined;
  /** Returns whether `[DONE]` was received. */
  isDone(): boolean;
  /** Returns whether an event reported an error of the provider. */
  hasFault(): boolean;
  events(): number;
}

const lf = 10;
const cr = 13;
/** Size in bytes above which an event is forwarded before it is complete; no usage event is that long. */
const maxHeldBytes = 256 * 1024;
const usageMark = Buffer.from('"usage"');
const errorMark = Buffer.from('"error"');
const doneMark = Buffer.from('[DONE]');

/** @param hidesUsage whether to remove the usage event */
export function createEventScanner(hidesUsage: boolean): EventScanner {
  let kept: Buffer = Buffer.alloc(0);
  let usage: ReportedUsage | undefined;
  let isDone = false;
  let hasFault = false;
  let events = 0;

  /** Returns whether to forward the event. */
  function inspect(event: Buffer): boolean {
    events++;
    if (event.includes(doneMark)) isDone = true;
    const mayHaveUsage = event.includes(usageMark);
    if (!mayHaveUsage && !event.includes(errorMark)) return true;
    const payload = payloadOf(event);
    if (!payload) return true;
    if (payload['error'] != null && payload['error'] !== false) hasFault = true;
    const reported = readUsage(payload['usage']);
    if (!reported) return true;
    usage = reported;
    const { choices } = payload;
    return !(hidesUsage && Array.isArray(choices) && choices.length === 0);
  }

  return {
    take(chunk) {
      const bytes = kept.length === 0 ? chunk : Buffer.concat([kept, chunk]);
      const shown: Buffer[] = [];
      let start = 0;
      let isWhole = true;
      for (let end = endOfEvent(bytes, 0); end > 0; end = endOfEvent(bytes, start)) {
        const event = bytes.subarray(start, end);
        if (inspect(event)) shown.push(event);
        else isWhole = false;
        start = end;
      }
      kept = bytes.subarray(start);
      const isTooLong = kept.length > maxHeldBytes;
      if (isTooLong && isWhole) start = bytes.length;
      else if (isTooLong) shown.push(kept);
      if (isTooLong) kept = Buffer.alloc(0);
      if (!hidesUsage) return [chunk];
      if (!isWhole) return shown;
      return start === 0 ? [] : [start === chunk.length && bytes === chunk ? chunk : bytes.subarray(0, start)];
    },
    end() {
      const rest = kept;
      kept = Buffer.alloc(0);
      // Handles a last event that is not followed by an empty line.
      if (rest.length === 0) return [];
      const isShown = inspect(rest);
      return hidesUsage && isShown ? [rest] : [];
    },
    usage: () => usage,
    isDone: () => isDone,
    hasFault: () => hasFault,
    events: () => events,
  };
}

/** Returns the position after the empty line that ends an event; 0 if there is none. */
function endOfEvent(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(lf, from); at >= 0; at = bytes.indexOf(lf, at + 1)) {
    const next = bytes[at + 1] === cr ? at + 2 : at + 1;
    if (bytes[next] === lf) return next + 1;
  }
  return 0;
}

function payloadOf(event: Buffer): Record<string, unknown> | undefined {
  const data = event
    .toString('utf8')
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
    .join('\n');
  const payload = jsonOf(data);
  return isRecord(payload) ? payload : undefined;
}

/** Reads the usage formats of chat completions and of audio. Returns `undefined` if they contain no numbers. */
export function readUsage(usage: unknown): ReportedUsage | undefined {
  if (!isRecord(usage)) return undefined;
  const details = usage['prompt_tokens_details'] ?? usage['input_tokens_details'];
  const input = countOf(usage['prompt_tokens'] ?? usage['input_tokens']);
  const output = countOf(usage['completion_tokens'] ?? usage['output_tokens']);
  const { cost } = usage;
  const hasCost = typeof cost === 'number' && cost >= 0 && Number.isFinite(cost);
  if (input === undefined && output === undefined && !hasCost) return undefined;
  return {
    input: input ?? 0,
    output: output ?? 0,
    cached: (isRecord(details) ? countOf(details['cached_tokens']) : undefined) ?? 0,
    ...(hasCost ? { cost } : {}),
  };
}

function countOf(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

/** Estimates the number of tokens in the delivered output: at least one per event, and one per four characters. */
export function deliveredTokens(chunks: readonly Buffer[]): number {
  let events = 0;
  let characters = 0;
  const text = Buffer.concat(chunks).toString('utf8');
  for (const line of text.split(/\r?\n/)) {
    if (!line.startsWith('data:')) continue;
    const count = outputLength(jsonOf(line.slice(5)));
    if (count === 0) continue;
    events++;
    characters += count;
  }
  return Math.max(events, Math.ceil(characters / 4));
}

/** Counts the characters of text, reasoning and tool calls in a chunk or a response. */
export function outputLength(payload: unknown): number {
  if (!isRecord(payload) || !Array.isArray(payload['choices'])) return 0;
  return payload['choices'].reduce((sum: number, choice: unknown) => {
    const delta = isRecord(choice) ? (choice['delta'] ?? choice['message']) : undefined;
    if (!isRecord(delta)) return sum;
    const { content, reasoning, reasoning_content: thought, tool_calls: calls } = delta;
    return sum + [content, reasoning, thought].reduce((all: number, one) => all + lengthOf(one), 0) + (calls ? lengthOf(JSON.stringify(calls)) : 0);
  }, 0);
}

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : Array.isArray(value) ? JSON.stringify(value).length : 0);
