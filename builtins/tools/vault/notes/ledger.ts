// Remembers what the program wrote into notes, so that a person's later edit is seen.
import { join } from 'node:path';
import type { Services } from 'agent-harness/kernel';
import { sha256 } from 'agent-harness/lib/hash';
import { isRecord } from 'agent-harness/lib/values';

/** Path in the vault → SHA-256, in hex, of the contents that we wrote there last; behind `+`: of those with a person's words in them. */
type LedgerFile = Record<string, readonly string[]>;

export interface Ledger {
  /** Whether exactly this content was written by us alone, there or under the name that the note had then. */
  isOurs(content: Uint8Array): Promise<boolean>;
  /** Whether exactly this content was written by us, perhaps behind a person's words, of which a copy is kept. */
  isKnown(content: Uint8Array): Promise<boolean>;
  /** Resolves when it is on disk. Called before the write: a write that fails leaves the old content known. */
  add(path: string, content: Uint8Array, how: 'own' | 'mixed'): Promise<void>;
}

/** The last ones of a note: one before an undo, one after. */
const keptEach = 4;

export function openLedger(storage: Services['storage'], folder: string, root: string): Ledger {
  const file = join(folder, `${sha256(root).slice(0, 16)}.json`);

  async function has(content: Uint8Array, fits: (key: string) => boolean): Promise<boolean> {
    const hash = sha256(content);
    const kept = (await storage.readJson(file, isLedgerFile)) ?? {};
    return Object.entries(kept).some(([key, hashes]) => fits(key) && hashes.includes(hash));
  }

  return {
    isOurs: (content) => has(content, (key) => !key.startsWith('+')),
    isKnown: (content) => has(content, () => true),
    async add(path, content, how) {
      const hash = sha256(content);
      const key = how === 'own' ? path : `+${path}`;
      const write = (kept: LedgerFile = {}): LedgerFile => {
        const before = Object.hasOwn(kept, key) ? (kept[key] ?? []) : [];
        return { ...kept, [key]: [...before.filter((one) => one !== hash), hash].slice(-keptEach) };
      };
      await storage.updateJson(file, write, { shape: isLedgerFile });
    },
  };
}

function isLedgerFile(value: unknown): value is LedgerFile {
  return isRecord(value) && Object.values(value).every((hashes) => Array.isArray(hashes));
}
