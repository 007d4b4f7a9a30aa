// Deletes what was written by itself about a turn: a person took its message, its answer or a call of it out of the conversation.
import { isFailure } from 'agent-harness/lib/errors';
import type { VaultDoor } from '../open-vault.ts';
import { ownPrefix } from '../notes/place.ts';

/** What a person made or changed stays. */
export async function dropNotes(door: VaultDoor, turnId: string): Promise<void> {
  const { index, writer } = await door();
  for (const path of (await index.refresh()).notes.keys()) {
    if (!path.startsWith(ownPrefix)) continue;
    await writer
      .remove(path, ({ frontMatter: { turn } }) => turn === turnId)
      .catch((fault: unknown) => {
        // Nobody but a person can have put something there that is not ours to delete.
        if (!isFailure(fault)) throw fault;
      });
  }
}
