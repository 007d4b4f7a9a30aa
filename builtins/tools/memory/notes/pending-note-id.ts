// Selects an id for a pending note that no existing note (even a deleted one) and no other pending note has.
import type { NoteContent, RememberNote } from '../contract.ts';
import { maxKey, proposalEnding } from './note-grammar.ts';

/** Maximum number of pending versions of one note; a further version replaces the oldest. */
const most = 5;

/** @param find returns the current note in any state */
export async function choosePendingNoteId(
  { type, key, value }: Pick<RememberNote, 'type' | 'key' | 'value'>,
  find: (id: string) => Promise<NoteContent | undefined>,
): Promise<string> {
  const id = `${type}:${key}`;
  const isSame = (known: NoteContent): boolean => known.isPending === true && known.value === value;
  const first = await find(id);
  if (!first || isSame(first) || (first.isPending === true && first.deletedAt !== undefined)) return id;
  let oldest: { readonly id: string; readonly at: string } | undefined;
  for (let number = 1; number <= most; number++) {
    const ending = number === 1 ? proposalEnding : `${proposalEnding}-${number}`;
    const beside = `${type}:${key.slice(0, maxKey - ending.length)}${ending}`;
    const known = await find(beside);
    if (!known || known.deletedAt !== undefined || isSame(known)) return beside;
    if (!oldest || known.updatedAt < oldest.at) oldest = { id: beside, at: known.updatedAt };
  }
  return oldest?.id ?? id;
}
