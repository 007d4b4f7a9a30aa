// Records the program's writes to vault notes, to detect later edits by the user.
import { join } from 'node:path';
import type { Services } from 'agent-harness/kernel';
import { sha256 } from '#lib/hash';
import { isRecord } from '#lib/values';

/**
 * Maps paths in the vault to the SHA-256 hashes, in hex, of the last contents that the program wrote. The prefix `+` marks contents that include text by the
 * user.
 */
type LedgerFile = Record<string, readonly string[]>;

export interface Ledger {
  /** Returns whether the program alone wrote exactly this content, to any note, because notes can be renamed. */
  isOurs(content: Uint8Array): Promise<boolean>;
  /** Returns whether the program wrote exactly this content, alone or appended to text of the user. */
  isKnown(content: Uint8Array): Promise<boolean>;
  /** Records content that is about to be written. Resolves when the record is on disk. If the write fails, the old content is still recorded. */
  add(path: string, content: Uint8Array, how: 'own' | 'mixed'): Promise<void>;
}

/** Maximum number of hashes per note, enough for the contents before and after an undo. */
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
