// Indexes the texts of one chat by origin: external texts, the owner's texts, and secrets that were displayed.
import { sha256 } from '#lib/hash';
import { BoundedMap } from '#lib/values';
import type { TextOrigin } from './contract.ts';
import { keysIn, secretsIn, type Secret } from './secret-values.ts';
import { squeeze } from '#lib/squeeze';
import { createTextIndex, type TextIndex } from './text-index.ts';

export interface ChatTexts {
  /** Index of external text. */
  readonly outside: TextIndex<TextOrigin>;
  /** Index of text from the owner's files and commands. */
  readonly own: TextIndex<TextOrigin>;
  /** Returns whether the owner typed the text. @param squeezed text normalized by `squeeze` */
  isTyped(squeezed: string): boolean;
  secrets(): Iterable<Secret>;
  /** Changes whenever the secrets or the typed text change. */
  readonly version: number;
  /** Why some secrets may be unknown: the end of a sentence that begins with "the". */
  readonly limit: string | undefined;
  /** Adds a text; duplicates are ignored. */
  add(text: string, origin: TextOrigin): void;
  /** Called when the conversation is reset: removes the texts, but keeps the secrets. */
  clear(): void;
}

/** Limits per chat, in letters and digits. */
const most = { outside: 300_000, own: 200_000, typed: 100_000 };
const mostSecrets = 10_000;
const mostKnown = 2_000;

export function createChatTexts(): ChatTexts {
  const outside = createTextIndex<TextOrigin>(most.outside);
  const own = createTextIndex<TextOrigin>(most.own);
  const secrets = new Map<string, Secret>();
  const known = new BoundedMap<string, true>(mostKnown);
  let typed = '';
  let version = 0;
  let isFull = false;

  function addSecrets(found: readonly Secret[]): void {
    const added = found.filter(({ value }) => !secrets.has(value));
    if (added.length === 0) return;
    version++;
    for (const secret of added) {
      if (secrets.size < mostSecrets) secrets.set(secret.value, secret);
      else isFull = true;
    }
  }

  return {
    outside,
    own,
    isTyped: (squeezed) => squeezed !== '' && typed.includes(squeezed),
    secrets: () => secrets.values(),
    get version() {
      return version;
    },
    get limit() {
      return isFull ? `chat has shown more than ${mostSecrets} secrets` : undefined;
    },
    add(text, origin) {
      const mark = sha256(`${origin.kind}\n${origin.ref}\n${text}`);
      if (known.has(mark)) return;
      known.set(mark, true);
      if (origin.kind === 'user') {
        typed = `${typed}\n${squeeze(text)}`.slice(-most.typed);
        version++;
      } else {
        (origin.isOutside ? outside : own).add(squeeze(text), origin);
        if (origin.kind === 'secret') addSecrets(secretsIn(text, origin.ref));
        // Keys on web pages are examples, not secrets.
        else if (origin.kind !== 'web') addSecrets(keysIn(text, origin.ref));
      }
    },
    clear() {
      outside.clear();
      own.clear();
      known.clear();
      typed = '';
      version++;
    },
  };
}
