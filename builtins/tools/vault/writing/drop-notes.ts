// Deletes the automatic vault notes about a turn after the user removed its message, its answer or a call from the conversation.
import { isFailure } from '#lib/errors';
import type { VaultAccess } from '../open-vault.ts';
import { ownPrefix } from '../notes/place.ts';

/** Deletes the notes, except those that the user created or changed. */
export async function dropNotes(access: VaultAccess, turnId: string): Promise<void> {
  const { index, writer } = await access();
  for (const path of (await index.refresh()).notes.keys()) {
    if (!path.startsWith(ownPrefix)) continue;
    await writer
      .remove(path, ({ frontMatter: { turn } }) => turn === turnId)
      .catch((fault: unknown) => {
        // A failure means that the user has placed another file there, which is left in place.
        if (!isFailure(fault)) throw fault;
      });
  }
}
