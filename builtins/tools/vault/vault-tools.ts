// Maps the names of the vault tools to their implementations, which share one open vault.
import type { KeptTexts } from 'agent-harness/builtins/turn/why';
import type { RunTool } from 'agent-harness/plugins/tools';
import { createAutoWriter, type AutoWriter } from './writing/auto-write.ts';
import { dropNotes } from './writing/drop-notes.ts';
import { writePluginNote } from './writing/write-plugin-note.ts';
import type { Vault } from './contract.ts';
import { createVaultAccess } from './open-vault.ts';
import type { VaultPorts } from './ports.ts';
import { createReadTools } from './search/read-tools.ts';
import { createWriteTool } from './writing/write-tool.ts';

export interface VaultCode {
  readonly tools: Readonly<Record<string, RunTool>>;
  readonly keep: Vault['keep'];
  readonly autoWriter: AutoWriter;
  readonly find: KeptTexts['find'];
  readonly drop: KeptTexts['drop'];
  /** Deletes the automatic notes about a turn. */
  dropNotes(turnId: string): Promise<void>;
}

export function createVaultCode(ports: VaultPorts): VaultCode {
  const access = createVaultAccess(ports);
  const reading = createReadTools(access, ports);
  return {
    tools: {
      vault_search: reading.search,
      vault_read: reading.read,
      vault_links: reading.links,
      vault_write: createWriteTool(access, ports),
    },
    keep: (note, origin) => writePluginNote(access, ports, note, origin),
    autoWriter: createAutoWriter(access, ports),
    find: async (path) => (await access()).writer.look(path),
    drop: async (path, version) => (await access()).writer.remove(path, (note) => note.version === version),
    dropNotes: (turnId) => dropNotes(access, turnId),
  };
}
