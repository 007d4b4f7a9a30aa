// Writes a note to the vault for another plugin.
import type { KeptNote, NoteOrigin } from 'agent-harness/builtins/tools/vault';
import { isFailure } from '#lib/errors';
import type { VaultAccess } from '../open-vault.ts';
import { ownPrefix } from '../notes/place.ts';
import type { VaultPorts } from '../ports.ts';

export async function writePluginNote(access: VaultAccess, ports: VaultPorts, note: KeptNote, origin: NoteOrigin): Promise<{ readonly path: string }> {
  const { path, frontMatter, body, action } = note;
  if (!path.startsWith(ownPrefix)) throw ports.notWritten(path, `it is not under ${ownPrefix}`);
  try {
    const { writer } = await access();
    const written = await writer.write({ path, mode: 'put', content: body, frontMatter, isForeign: frontMatter['status'] === 'unreviewed' });
    ports.note(action, origin, written.path);
    return { path: written.path };
  } catch (fault) {
    throw isFailure(fault) ? ports.notWritten(path, fault.message, fault) : fault;
  }
}
