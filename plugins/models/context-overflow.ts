// Detects from a provider's error text that a request exceeds the context window, and parses the token counts in the text. Pure.
import type { ContextOverflow } from './contract.ts';
import { overflowWords, throttleWords, usedFigures, windowFigures } from './provider-error-patterns.ts';

/** Matches the number of requested tokens; the first number includes the requested reply. */
const requested = /requested (?:about )?([\d,]+)(?: tokens)?(?:[^]*?([\d,]+) (?:tokens )?in the (?:completion|output))?/i;
/** Minimum plausible context window in tokens; a smaller number has another meaning. */
const minWindow = 256;

/**
 * Returns the exceeded limit; `undefined` if the error is not an overflow.
 * @param words full text of the error: code, type and message
 * @param error the error object, which contains the token counts on some servers
 */
export function readOverflow(status: number | undefined, words: string, error: unknown): ContextOverflow | undefined {
  const isThrottled = throttleWords.test(words);
  // This single request exceeds a per-minute limit: a shorter request would be accepted, but the number is not the context window.
  if (isThrottled) return status === 413 ? {} : undefined;
  if (status !== 413 && !overflowWords.some((sign) => sign.test(words))) return undefined;
  const window = fieldOf(error, 'n_ctx') ?? firstOf(windowFigures, words);
  const used = fieldOf(error, 'n_prompt_tokens') ?? firstOf(usedFigures, words) ?? requestedOf(words);
  return {
    ...(window !== undefined && window >= minWindow ? { window } : {}),
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
