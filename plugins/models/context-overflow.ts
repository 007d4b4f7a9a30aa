// Tells from a provider's words that a request is longer than the model takes, and reads the figures in them. Pure.
import type { ContextOverflow } from './contract.ts';

const signs = [
  /context_length_exceeded|exceed_context_size|context_window_exceeded|request_too_large|string_above_max_length/i,
  /(?:maximum|available|max) context|context (?:length|window|size|limit)|maximum prompt length/i,
  /\b(?:prompt|input|request|messages?|conversation)(?: is| are| was)? too (?:long|large)/i,
  /input token count|too many (?:input |prompt )?tokens|reduce the length of|model token limit|`?inputs`? tokens \+/i,
  /tokens?\b[^.]{0,60}\bexceeds? the (?:limit|maximum)/i,
];

/** The first that fits counts. */
const windows = [
  /maximum (?:context|prompt) length (?:is|of) (?:only )?([\d,]+)/i,
  /([\d,]+) (?:tokens? )?maximum context length/i,
  /> ([\d,]+) maximum/i,
  /context limit: [\d,]+ \+ [\d,]+ > ([\d,]+)/i,
  /maximum number of tokens allowed \(?([\d,]+)/i,
  /model token limit:? \(?([\d,]+)/i,
  /context (?:size|window|length|limit)(?: of| is)?:? \(?([\d,]+)/i,
  /exceeds? the (?:limit|maximum) (?:of )?\(?([\d,]+)/i,
  /must be <= ?([\d,]+)/i,
  /\blimit:? ([\d,]+)/i,
];
const uses = [
  /resulted in ([\d,]+) tokens/i,
  /(?:has|contains) (?:at least )?([\d,]+) (?:input |prompt )?tokens/i,
  /prompt is too long: ([\d,]+)/i,
  /input token count \(?([\d,]+)/i,
  /context limit: ([\d,]+)/i,
  /token count of ([\d,]+)/i,
  /given: ([\d,]+)/i,
  /request \(([\d,]+) tokens\)/i,
];
/** What was asked for besides the prompt is in the first figure. */
const requested = /requested (?:about )?([\d,]+)(?: tokens)?(?:[^]*?([\d,]+) (?:tokens )?in the (?:completion|output))?/i;
/** A figure below it counts something else. */
const leastWindow = 256;

/**
 * @param words of the error: code, type and message
 * @param error the error object, where some servers put the figures
 */
export function readOverflow(status: number | undefined, words: string, error: unknown): ContextOverflow | undefined {
  if (status !== 413 && !signs.some((sign) => sign.test(words))) return undefined;
  const window = fieldOf(error, 'n_ctx') ?? firstOf(windows, words);
  const used = fieldOf(error, 'n_prompt_tokens') ?? firstOf(uses, words) ?? requestedOf(words);
  return {
    ...(window !== undefined && window >= leastWindow ? { window } : {}),
    ...(used === undefined ? {} : { used }),
  };
}

function firstOf(patterns: readonly RegExp[], words: string): number | undefined {
  for (const pattern of patterns) {
    const found = countOf(pattern.exec(words)?.[1]);
    if (found !== undefined) return found;
  }
  return undefined;
}

function requestedOf(words: string): number | undefined {
  const [, all, output] = requested.exec(words) ?? [];
  const count = countOf(all);
  return count === undefined ? undefined : count - (countOf(output) ?? 0);
}

function countOf(digits: string | undefined): number | undefined {
  const count = Number(digits?.replaceAll(',', ''));
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}

function fieldOf(error: unknown, key: string): number | undefined {
  const value: unknown = typeof error === 'object' && error !== null ? (error as Record<string, unknown>)[key] : undefined;
  return typeof value === 'number' && value > 0 ? value : undefined;
}
