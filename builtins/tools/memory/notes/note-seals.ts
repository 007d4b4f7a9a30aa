// Seals notes that the owner of this home folder wrote or accepted, to distinguish them from notes by the creator of a workspace.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { Storage } from 'agent-harness/plugins/storage';
import type { StoredNote } from '../contract.ts';

export interface NoteSeals {
  /** Resolves when the key has been loaded, if it exists; without a key, no note counts as the owner's. */
  ready(): Promise<void>;
  /** Resolves when the key exists; creates it with mode 0600 if necessary. */
  make(): Promise<void>;
  /** Returns the seal of a note. Contract: called after {@link make}. */
  seal(id: string, note: StoredNote): string;
  isOurs(id: string, note: StoredNote): boolean;
}

interface KeyFile {
  /** Key of 32 bytes in hex. */
  readonly key: string;
}

/** Length of a seal in bytes, long enough to prevent guessing. */
const sealBytes = 12;

export function createNoteSeals(home: string, storage: Storage): NoteSeals {
  const path = join(home, '.agent_notes.key');
  let key: Buffer | undefined;

  function take(file: KeyFile | undefined): void {
    if (file) key = Buffer.from(file.key, 'hex');
  }

  const mac = (secret: Buffer, id: string, text: string): Buffer => createHmac('sha256', secret).update(`${id}\n${text}`).digest().subarray(0, sealBytes);

  return {
    async ready() {
      // Another process may have created a key in the meantime.
      if (!key) take(await storage.readJson(path, isKeyFile));
    },
    async make() {
      if (!key) take(await storage.updateJson(path, (current) => current ?? { key: randomBytes(32).toString('hex') }, { shape: isKeyFile }));
    },
    seal(id, { value, deletedAt }) {
      if (!key) throw new Error('there is no key to seal notes with');
      // A tombstone loses its text after some time, so its seal covers the time of deletion.
      return mac(key, id, deletedAt ?? value).toString('base64url');
    },
    isOurs(id, { seal, value, deletedAt }) {
      const secret = key;
      const given = Buffer.from(seal ?? '', 'base64url');
      if (secret === undefined || given.length !== sealBytes) return false;
      // Older versions also sealed the text of deleted notes.
      return [value, ...(deletedAt === undefined ? [] : [deletedAt])].some((text) => timingSafeEqual(given, mac(secret, id, text)));
    },
  };
}

function isKeyFile(value: unknown): value is KeyFile {
  const key = (value as Partial<KeyFile> | null)?.key;
  return typeof key === 'string' && /^[0-9a-f]{64}$/.test(key);
}
