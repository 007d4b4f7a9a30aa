// Describes the notes that would be uploaded for the first time, as a sentence for the approval. Pure.
import type { SyncPreview, SyncTarget } from './contract.ts';

const shownNames = 10;

/** Returns `undefined` if the user agreed to all of them before. */
export function firstTimeText({ isShared }: Pick<SyncTarget, 'isShared'>, previews: readonly SyncPreview[]): string | undefined {
  const fresh = previews.filter(({ isAgreed }) => !isAgreed);
  if (fresh.length === 0) return undefined;
  const parts = fresh.map(({ workspace, total, notes, refused }) => {
    const names = notes.slice(-shownNames).map(({ id }) => id);
    const stay = refused.length === 0 ? '' : `, ${refused.length} stay here because something in them looks like a secret`;
    return `${workspace}: ${total} notes${names.length === 0 ? '' : ` (${names.join(', ')}${total > names.length ? ', …' : ''})`}${stay}`;
  });
  const whose = isShared ? 'Notes of this workspace leave this machine for your team' : 'Notes leave this machine for your account';
  return `${whose} for the first time, and from then on by themselves. ${parts.join('; ')}.`;
}
