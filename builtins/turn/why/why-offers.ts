// Builds the actions for the subject of an explanation: deleting it with all derived items, removing it from the conversation, and restoring it.
import { messageOf } from '#lib/errors';
import { sha256 } from '#lib/hash';
import { clip, oneLine } from '#lib/text';
import type { RemovalLeftover } from 'agent-harness/plugins/agent';
import type { ViewAction, ViewAnswer } from 'agent-harness/plugins/views';
import type { WhyAnswer, WhyQuestion } from './contract.ts';
import type { FoundDerived } from './derived-of.ts';
import type { WhyParts } from './known-chat.ts';

/** A question about a known chat. */
export type ViewQuestion = WhyQuestion & { readonly chatId: string };

export interface Offer {
  readonly action: ViewAction;
  run(): Promise<ViewAnswer>;
}

const removeLeft = /* t */ 'Remove remaining data';
const longestReason = 160;
const longestNames = 240;
const longestQuestion = 480;

export function deletable(derived: WhyAnswer['derived'] = []): FoundDerived[] {
  return (derived as readonly FoundDerived[]).filter(({ kind, isYours }) => kind !== 'summary' && isYours !== true);
}

/**
 * Returns the available actions. Each id contains a hash of the list, so that a changed list makes it invalid and only items that were displayed are deleted.
 */
export function offersOf(parts: WhyParts, { own = [], derived, isRead, left = [] }: WhyAnswer, { chatId, call, message, text }: ViewQuestion): Offer[] {
  const { turns } = parts.services;
  const offers: Offer[] = [];
  const offer = (action: ViewAction, run: () => Promise<string>): void => void offers.push({ action, run: async () => ({ message: await run() }) });
  const [owned, listed] = [deletable(own), deletable(derived)];
  const notes = [...owned, ...listed];
  const mark = sha256([...own, ...derived.filter(({ kind }) => kind !== 'summary')].map(({ key }) => key).join('\n')).slice(0, 12);
  const names = clip(notes.map(({ id }) => id).join(', '), longestNames);
  const places = [...new Set(notes.flatMap(({ kind, where }) => (kind === 'text' && where !== undefined ? [where] : [])))];
  const lost = places.length === 0 ? '' : `Items deleted from ${places.join(', ')} cannot be restored.`;
  const id = call ?? message;
  if (id !== undefined && text === undefined && isRead === true) {
    const label = notes.length === 0 ? /* t */ 'Remove from the conversation' : /* t */ 'Remove it and delete derived items';
    const what = 'The model no longer reads it, and a summary that contains it is rewritten. The journal still contains it.';
    const confirm = asking(what, names === '' ? '' : `Also deleted: ${names}.`, lost);
    offer({ id: `take-out-${mark}`, kind: 'danger', label, confirm }, async () => {
      const leftover = leftSentence(await turns.remove(chatId, id));
      return sentences('The model no longer reads it.', leftover, await forgetAll(parts, notes));
    });
  }
  if (id !== undefined && isRead === false && left.length > 0)
    offer({ id: 'remove-left', label: removeLeft }, async () => leftSentence(await turns.remove(chatId, id)) || 'All derived data is removed.');
  if (id !== undefined && isRead === false)
    offer({ id: 'put-back', label: /* t */ 'Restore to the conversation' }, async () => {
      await turns.restore(chatId, id);
      return 'The model reads it again from the next request on.';
    });
  if (notes.length > 0) {
    const one = listed.length === 0 ? /* t */ 'Delete this note' : /* t */ 'Delete this and derived items';
    const label = owned.length === 0 ? /* t */ 'Delete derived items' : one;
    offer({ id: `delete-all-${mark}`, kind: 'danger', label, confirm: asking(`Delete ${names}?`, lost) }, () => forgetAll(parts, notes));
  }
  return offers;
}

/** Deletes items. Returns sentences about the items that were deleted and those that could not be deleted. */
export async function forgetAll(parts: WhyParts, those: readonly FoundDerived[]): Promise<string> {
  let count = 0;
  const lost = new Map<string, number>();
  const left: string[] = [];
  for (const one of those) {
    try {
      if (!(await forget(parts, one))) left.push(`${one.id} was not deleted: it no longer exists, or has changed.`);
      else if (one.kind === 'note') count++;
      else lost.set(one.where ?? '', (lost.get(one.where ?? '') ?? 0) + 1);
    } catch (fault) {
      left.push(`${one.id} could not be deleted: ${reason(messageOf(fault))}.`);
    }
  }
  const deleted = count === 0 ? '' : `${countOf(count)} deleted. You can restore them for 30 days on the page Memory.`;
  return sentences(deleted, ...[...lost].map(([where, of]) => `${countOf(of, ` of ${where}`)} permanently deleted.`), ...left);
}

async function forget({ services, keepers, derived }: WhyParts, { id, scope, place, kept }: FoundDerived): Promise<boolean> {
  if (!kept) return (await services.notes?.forget(place, id, scope)) !== undefined;
  const isGone = (await keepers.get(kept.keeper)?.drop(id, kept.version)) === true;
  if (isGone) await derived.dropWords(kept.keeper, id);
  return isGone;
}

function countOf(count: number, of = ''): string {
  return count === 1 ? `One note${of} is` : `${count} notes${of} are`;
}

function leftSentence(left: readonly RemovalLeftover[]): string {
  if (left.length === 0) return '';
  return `${left.map(({ plugin, why }) => `Data that the plugin ${plugin} derived from it could not be removed: ${reason(why)}.`).join(' ')} All other data is removed; ‘${removeLeft}’ tries again.`;
}

function reason(why: string): string {
  return oneLine(why, longestReason).replace(/\.$/, '');
}

function asking(...all: readonly string[]): string {
  return clip(sentences(...all), longestQuestion);
}

function sentences(...all: readonly string[]): string {
  return all.filter((one) => one !== '').join(' ');
}
