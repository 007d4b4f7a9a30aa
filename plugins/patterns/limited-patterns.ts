// Patterns of schemas that others wrote, with a limit of time: some need ages for a text that almost fits.
import { createContext, Script } from 'node:vm';
import { hasCode } from 'agent-harness/lib/errors';
import type { LimitedPatterns } from 'agent-harness/plugins/patterns';

/** One after the other: the first is over soon where a pattern has no end, the second is long enough for a machine that was busy with others. */
const limitsMs = [100, 1_000];

/** Nothing to dispose. Testing throws when the limit is over: the text is neither fitting nor not. */
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
    throw new Error(`its pattern ${pattern.source} takes more than ${limitsMs.at(-1)} ms for a text of ${text.length} characters.`);
  }

  const make = (source: string, flags: string): { test(text: string): boolean; toString(): string } => {
    const pattern = new RegExp(source, flags);
    return {
      test: isStraight(source) ? (text) => pattern.test(text) : (text) => testWithin(pattern, text),
      // Equal patterns are told apart from others by their text.
      toString: () => String(pattern),
    };
  };
  return Object.assign(make, { code: 'new RegExp' });
}

/**
 * From the beginning of a text, one sign or class after the other, of which one at most repeats: it is over once the text
 * was read. Most patterns are of this kind, and a limit costs a tenth of a millisecond.
 */
function isStraight(source: string): boolean {
  const signs = source.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  return signs.startsWith('^') && !/[()|]/.test(signs) && signs.replace(/[^*+?{]/g, '').length <= 1;
}
