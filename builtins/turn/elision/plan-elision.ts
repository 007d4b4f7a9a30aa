// Selects the messages whose outputs or arguments are replaced with references, based on the messages alone. Pure.
import type { ModelMessage } from 'agent-harness/plugins/models';

export interface ElisionRules {
  /** Minimum length of a text that is replaced, in UTF-16 code units. */
  readonly minChars: number;
  readonly keepRounds: number;
}

/** @returns indices of messages with a large output or argument that are older than the newest rounds */
export function planElision(messages: readonly ModelMessage[], { minChars, keepRounds }: ElisionRules): Set<number> {
  const stale = new Set<number>();
  let newer = 0;
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message && newer >= keepRounds && isBig(message, minChars)) stale.add(index);
    if (message?.role === 'assistant') newer++;
  }
  return stale;
}

function isBig(message: ModelMessage, minChars: number): boolean {
  if (message.role === 'tool') return message.text.length >= minChars;
  return message.role === 'assistant' && message.toolCalls.some(({ argsText }) => argsText.length >= minChars);
}
