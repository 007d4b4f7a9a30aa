// Describes the notes that would be uploaded for the first time, as a sentence for the approval. Pure.
import { countWithNoun } from '#lib/text';
import type { SyncPreview, SyncTarget } from './contract.ts';

/** Maximum number of note names per set in the sentence. */
const shownNames = 10;

/** Returns the sentence; `undefined` if the user already agreed to upload all of the sets. */
export function firstTimeText({ isShared }: Pick<SyncTarget, 'isShared'>, previews: readonly SyncPreview[]): string | undefined {
  const fresh = previews.filter(({ isAgreed }) => !isAgreed);
  if (fresh.length === 0) return undefined;
  const parts = fresh.map(({ workspace, total, notes, refused }) => {
    const names = notes.slice(-shownNames).map(({ id }) => id);
    const refusedText = refused.length === 0 ? '' : `, ${refused.length} are not uploaded because they may contain a secret`;
    return `${workspace}: ${countWithNoun(total, 'note')}${names.length === 0 ? '' : ` (${names.join(', ')}${total > names.length ? ', …' : ''})`}${refusedText}`;
  });
  const upload = isShared ? 'Notes of this workspace will be uploaded to your team' : 'Notes will be uploaded to your account';
  return `${upload} for the first time, and automatically from then on. ${parts.join('; ')}.`;
}
