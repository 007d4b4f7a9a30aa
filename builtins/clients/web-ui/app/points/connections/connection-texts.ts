// Defines texts that all connections share: states, and the rule for names. Pure.
import { table } from '../../kit/t.ts';

export interface StatusWords {
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad' | '';
}

const known: Readonly<Record<string, StatusWords>> = table({
  connected: { text: 'Connected', tone: 'good' },
  connecting: { text: 'Connecting…', tone: '' },
  failed: { text: 'Failed', tone: 'bad' },
  needs_sign_in: { text: 'Needs a sign-in', tone: 'warn' },
  needs_trust: { text: 'Waits for your trust', tone: 'warn' },
});

export function statusWords(status: string): StatusWords {
  return Object.hasOwn(known, status) ? (known[status] as StatusWords) : { text: status.replaceAll('_', ' '), tone: '' };
}

/** Pattern for names; a name becomes the prefix of the connection's tools. */
export const namePattern = '[a-z][a-z0-9_\\-]{0,31}';
export const nameHint = /* t */ 'Lowercase letters, digits, - and _. The names of its tools begin with this name.';
