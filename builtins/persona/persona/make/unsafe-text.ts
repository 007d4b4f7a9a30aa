// Detects unsafe text in a persona: markup, hidden characters, addresses, secrets, and text that would override a rule.
import { showHidden } from '#lib/hidden-text';
import { hasSecret } from '#lib/secrets';

/** Patterns that are forbidden in any text. */
const never: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/<\/?[a-z!?][^>]*>?/i, 'it contains markup'],
  [/!\[[^\]]*\]\(/, 'it contains an external picture'],
  [/`{3}/, 'it contains code'],
];

/** Patterns that are forbidden in text from a model, and in any text that the user has not confirmed. */
const steering: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/\b(?:https?|ftp|file|data|javascript):/i, 'it contains an address'],
  [
    /\b(?:ignore|disregard|forget|override|bypass|circumvent)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|any|system|safety|the)\b[^.\n]{0,30}\b(?:instruction|rule|prompt|guideline|policy|policies|polic|restriction|limit|safeguard|approval)/i,
    'it would override rules',
  ],
  [
    /\b(?:reveal|leak|print|repeat|show|disclose|output|share|send|expose|exfiltrate)\b[^.\n]{0,40}\b(?:system prompt|instructions|api[ _-]?keys?|secrets?|tokens?|passwords?|credentials?|environment variables?|\.env)\b/i,
    'it would disclose data',
  ],
  [
    /\b(?:without|skip(?:ping)?|no need for|never (?:ask|wait|request)[^.\n]{0,20})\b[^.\n]{0,15}\b(?:approvals?|permissions?|confirmations?|confirming|asking)\b/i,
    'it would bypass an approval',
  ],
  [
    /\b(?:auto[- ]?approve|always approve|approve (?:all|every|any)|yolo|jailbreak|developer mode|god mode|do anything now|unrestricted|no restrictions|without restrictions)\b/i,
    'it would bypass an approval',
  ],
  [/\b(?:you are|act as|become)\b[^.\n]{0,20}\b(?:root|administrator|superuser|system)\b/i, 'it would bypass an approval'],
  [/\[\/?(?:INST|SYS|SYSTEM)\]|<\|[a-z_]+\|>|^\s*(?:system|assistant|user)\s*:/im, 'it looks like a conversation'],
];

/** Matches negations: an instruction such as `never reveal the system prompt` is harmless. */
const denial = /\b(?:never|not|don't|doesn't|won't|refuses? to|no)\s+(?:\w+\s+){0,2}$/i;

/** Returns the problem as part of a sentence; `undefined` if the text is acceptable. */
export function whyUnfit(text: string): string | undefined {
  if (showHidden(text) !== text) return 'it contains hidden characters';
  if (hasSecret(text)) return 'it contains a likely key or password';
  return never.find(([pattern]) => pattern.test(text))?.[1];
}

/** Returns the problem as {@link whyUnfit} does, for text from a model. */
export function whyUnsafe(text: string): string | undefined {
  return whyUnfit(text) ?? steering.find(([pattern]) => asks(pattern, text))?.[1];
}

function asks(pattern: RegExp, text: string): boolean {
  const every = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
  for (const { index } of text.matchAll(every)) if (!denial.test(text.slice(Math.max(0, index - 40), index))) return true;
  return false;
}
