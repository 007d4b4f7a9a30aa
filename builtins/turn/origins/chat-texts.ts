// What one chat has seen: texts from elsewhere to find again, what its owner typed, and the secrets that were shown.
import { sha256 } from 'agent-harness/lib/hash';
import { BoundedMap } from 'agent-harness/lib/values';
import type { TextOrigin } from './contract.ts';
import { keysIn, secretsIn, type Secret } from './secret-values.ts';
import { squeeze } from 'agent-harness/lib/squeeze';
import { createTextIndex, type TextIndex } from './text-index.ts';

export interface ChatTexts {
  /** Somebody else's words. */
  readonly outside: TextIndex<TextOrigin>;
  /** Of the owner's own files and commands. */
  readonly own: TextIndex<TextOrigin>;
  /** What the owner typed. */
  isTyped(squeezed: string): boolean;
  secrets(): Iterable<Secret>;
  /** A text twice counts once. */
  add(text: string, origin: TextOrigin): void;
  /** The conversation begins anew. Secrets stay secrets. */
  clear(): void;
}

/** Signs of one chat, in letters and digits. */
const most = { outside: 300_000, own: 200_000, typed: 100_000, ofOne: 200_000 };
const mostSecrets = 1_000;
const mostKnown = 2_000;

export function createChatTexts(): ChatTexts {
  const outside = createTextIndex<TextOrigin>(most.outside);
  const own = createTextIndex<TextOrigin>(most.own);
  const secrets = new BoundedMap<string, Secret>(mostSecrets);
  const known = new BoundedMap<string, true>(mostKnown);
  let typed = '';

  function addSecrets(found: readonly Secret[]): void {
    for (const secret of found) if (!secrets.has(secret.value)) secrets.set(secret.value, secret);
  }

  return {
    outside,
    own,
    isTyped: (squeezed) => squeezed !== '' && typed.includes(squeezed),
    secrets: () => secrets.values(),
    add(whole, origin) {
      const text = whole.slice(0, most.ofOne);
      const mark = sha256(`${origin.kind}\n${origin.ref}\n${text}`);
      if (known.has(mark)) return;
      known.set(mark, true);
      if (origin.kind === 'user') typed = `${typed}\n${squeeze(text)}`.slice(-most.typed);
      else {
        (origin.isOutside ? outside : own).add(squeeze(text), origin);
        if (origin.kind === 'secret') addSecrets(secretsIn(text, origin.ref));
        // Keys in the pages of the web are examples.
        else if (origin.kind !== 'web') addSecrets(keysIn(text, origin.ref));
      }
    },
    clear() {
      outside.clear();
      own.clear();
      known.clear();
      typed = '';
    },
  };
}
