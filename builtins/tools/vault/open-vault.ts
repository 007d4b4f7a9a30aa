// Opens the vault with its folder, index and writer on first use.
import { openRoot, type Root } from './notes/place.ts';
import type { VaultPorts } from './ports.ts';
import { createNoteWriter, type NoteWriter } from './writing/write-note.ts';
import { createVaultIndex, type VaultIndex } from './search/vault-index.ts';

export interface OpenVault {
  readonly root: Root;
  readonly index: VaultIndex;
  readonly writer: NoteWriter;
}

/** Returns the open vault. Rejects with a failure while the folder is missing; each call retries. */
export type VaultAccess = () => Promise<OpenVault>;

export function createVaultAccess(ports: VaultPorts): VaultAccess {
  let opened: OpenVault | undefined;
  return async () => {
    const root = await openRoot(ports.path, ports.home);
    if (opened?.root.path !== root.path) opened = { root, index: createVaultIndex(root), writer: createNoteWriter(root, ports) };
    return opened;
  };
}
