// Tells notes that this home folder's owner wrote or accepted from those that came with a workspace somebody else made.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import type { Storage } from 'agent-harness/plugins/storage';
import type { StoredNote } from './contract.ts';

export interface NoteSeals {
  /** Resolves when the key is there; it is made at first use, mode 0600. */
  ready(): Promise<void>;
  seal(id: string, value: string): string;
  isOurs(id: string, note: StoredNote): boolean;
}

interface KeyFile {
  readonly key?: unknown;
}

/** Bytes of the seal: more than enough against guessing. */
const sealBytes = 12;

export function createNoteSeals(home: string, storage: Storage): NoteSeals {
  const path = join(home, '.agent_notes.key');
  let reading: Promise<void> | undefined;
  let key = Buffer.alloc(0);

  async function read(): Promise<void> {
    const known = keyIn(await storage.readJson<KeyFile>(path));
    // Another process may make one at the same moment.
    const made = known ?? keyIn(await storage.updateJson<KeyFile>(path, (current) => ({ key: keyIn(current) ?? randomBytes(32).toString('hex') })));
    key = Buffer.from(made ?? '', 'hex');
  }

  const mac = (id: string, value: string): Buffer => createHmac('sha256', key).update(`${id}\n${value}`).digest().subarray(0, sealBytes);

  return {
    ready: () =>
      (reading ??= read().catch((fault: unknown) => {
        reading = undefined;
        throw fault;
      })),
    seal: (id, value) => mac(id, value).toString('base64url'),
    isOurs(id, { seal, value }) {
      const given = Buffer.from(seal ?? '', 'base64url');
      return given.length === sealBytes && timingSafeEqual(given, mac(id, value));
    },
  };
}

function keyIn(file: KeyFile | undefined): string | undefined {
  return typeof file?.key === 'string' && /^[0-9a-f]{64}$/.test(file.key) ? file.key : undefined;
}
