// Splits a conversation into parts that cannot be divided: a user message, or a reply with the results of its calls. Pure.
import { createHash } from 'node:crypto';
import type { ModelMessage } from 'agent-harness/plugins/models';
import { charsOfAll } from './measure.ts';

export interface Part {
  readonly kind: 'user' | 'round';
  /** Index of the part's first message, and index after its last message. */
  readonly start: number;
  readonly end: number;
  readonly chars: number;
}

export function splitParts(messages: readonly ModelMessage[]): Part[] {
  const parts: Part[] = [];
  for (let start = 0; start < messages.length;) {
    const isUser = messages[start]?.role === 'user';
    let end = start + 1;
    while (!isUser && end < messages.length && !begins(messages[end])) end++;
    parts.push({ kind: isUser ? 'user' : 'round', start, end, chars: charsOfAll(messages.slice(start, end)) });
    start = end;
  }
  return parts;
}

export function hasForeignText(messages: readonly ModelMessage[]): boolean {
  return messages.some((message) => 'isUntrusted' in message && message.isUntrusted === true);
}

function begins(message: ModelMessage | undefined): boolean {
  return message?.role === 'user' || message?.role === 'assistant';
}

/**
 * Returns a fingerprint of the first messages of a conversation. It covers the ids of the calls, but not tool outputs and call arguments, which elision may
 * replace.
 */
export function fingerprintOf(messages: readonly ModelMessage[]): string {
  const hash = createHash('sha256');
  for (const message of messages) hash.update(`${keyOf(message)}\n`);
  return hash.digest('hex');
}

export function keyOf(message: ModelMessage | undefined): string {
  if (!message) return '';
  switch (message.role) {
    case 'tool':
      return JSON.stringify([message.role, message.callId, message.name, message.isError]);
    case 'assistant':
      return JSON.stringify([message.role, message.text, message.toolCalls.map(({ id, name }) => [id, name])]);
    default:
      return JSON.stringify([message.role, message.text]);
  }
}
