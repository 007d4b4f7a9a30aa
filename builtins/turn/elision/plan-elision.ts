// Which messages stand as pointers: decided from the conversation alone, so that a restart decides the same. Pure.
import type { ModelMessage } from 'agent-harness/plugins/models';

export interface ElisionRules {
  /** In UTF-16 units. */
  readonly minChars: number;
  readonly keepRounds: number;
}

/** Bodies are swapped in batches: every swap costs the provider's prompt cache once. */
const batchBodies = 4;
const batchChars = 40_000;

interface Waiting {
  readonly index: number;
  readonly round: number;
  readonly chars: number;
}

/**
 * Walks through the rounds as they happened. A body that has become old enough waits until there are enough of them;
 * then all that wait are swapped at once. What is swapped stays so.
 *
 * @returns indices of messages
 */
export function planElision(messages: readonly ModelMessage[], rules: ElisionRules): Set<number> {
  const elided = new Set<number>();
  let waiting: readonly Waiting[] = [];
  let round = 0;
  messages.forEach((message, index) => {
    if (message.role === 'assistant') round++;
    // Nearly all rounds have nothing to decide.
    if (message.role === 'assistant' && waiting.length > 0) {
      const stale = waiting.filter((one) => one.round <= round - rules.keepRounds);
      if (isBatch(stale)) {
        for (const one of stale) elided.add(one.index);
        waiting = waiting.filter((one) => !stale.includes(one));
      }
    }
    const chars = bigChars(message, rules.minChars);
    if (chars > 0) waiting = [...waiting, { index, round, chars }];
  });
  return elided;
}

function isBatch(stale: readonly Waiting[]): boolean {
  return stale.length >= batchBodies || stale.reduce((sum, one) => sum + one.chars, 0) >= batchChars;
}

function bigChars(message: ModelMessage, minChars: number): number {
  if (message.role === 'tool') return message.text.length >= minChars ? message.text.length : 0;
  if (message.role !== 'assistant') return 0;
  return message.toolCalls.reduce((sum, { argsText }) => sum + (argsText.length >= minChars ? argsText.length : 0), 0);
}
