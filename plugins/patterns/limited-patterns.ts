// Matches patterns of third-party schemas with a time limit, because some patterns take extremely long for a text that almost matches.
import { createContext, Script } from 'node:vm';
import { hasCode } from '#lib/errors';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';

/** Time limits of two attempts in milliseconds: the first stops most runaway patterns early; the second is long enough for a busy machine. */
const limitsMs = [100, 1_000];

/** Creates the matcher, which needs no disposal. `test` throws after the time limit, when the result is unknown. */
export function createLimitedPatterns(): LimitedPatterns {
  const work: { pattern?: RegExp; text?: string } = {};
  let context: object | undefined;
  let script: Script | undefined;

  function testWithin(pattern: RegExp, text: string): boolean {
    context ??= createContext(work);
    script ??= new Script('pattern.test(text)');
    Object.assign(work, { pattern, text });
    for (const timeout of limitsMs) {
      try {
        return script.runInContext(context, { timeout }) as boolean;
      } catch (cause) {
        if (!hasCode(cause, 'ERR_SCRIPT_EXECUTION_TIMEOUT')) throw cause;
      }
    }
    throw new Error(`the pattern ${pattern.source} takes more than ${limitsMs.at(-1)} ms for a text of ${text.length} characters.`);
  }

  const make = (source: string, flags: string): { test(text: string): boolean; toString(): string } => {
    const pattern = new RegExp(source, flags);
    return {
      test: isStraight(source) ? (text) => pattern.test(text) : (text) => testWithin(pattern, text),
      // Ajv identifies equal patterns by this text.
      toString: () => String(pattern),
    };
  };
  return Object.assign(make, { code: 'new RegExp' });
}

/**
 * Returns whether the pattern is anchored and linear: a sequence of characters or classes, at most one of which repeats. Most patterns are, so they need no
 * time limit, which would cost a tenth of a millisecond.
 */
function isStraight(source: string): boolean {
  const signs = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  return signs.startsWith('^') && !/[()|]/.test(signs) && signs.replace(/[^*+?{]/g, '').length <= 1;
}
