// Patterns of schemas that others wrote, with a limit of time: some need ages for a text that almost fits.
import { createContext, Script } from 'node:vm';

/** One after the other: the first is over soon where a pattern has no end, the second is long enough for a machine that was busy with others. */
const limitsMs = [100, 1_000];

export interface LimitedPatterns {
  (pattern: string, flags: string): { test(text: string): boolean };
  /** For code that is generated to stand alone, which ours is not. */
  code: string;
}

/** Testing throws when the limit is over: the text is neither fitting nor not. */
export function createLimitedPatterns(): LimitedPatterns {
  const work: { pattern?: RegExp; text?: string } = {};
  const context = createContext(work);
  const script = new Script('pattern.test(text)');
  const make = (source: string, flags: string): { test(text: string): boolean; toString(): string } => {
    const pattern = new RegExp(source, flags);
    return {
      test(text) {
        Object.assign(work, { pattern, text });
        for (const timeout of limitsMs) {
          try {
            return script.runInContext(context, { timeout }) as boolean;
          } catch (cause) {
            if ((cause as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw cause;
          }
        }
        throw new Error(`its pattern ${source} takes more than ${limitsMs.at(-1)} ms for a text of ${text.length} characters.`);
      },
      // Equal patterns are told apart from others by their text.
      toString: () => String(pattern),
    };
  };
  return Object.assign(make, { code: 'new RegExp' });
}
