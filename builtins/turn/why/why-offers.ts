// Builds the actions for a subject: delete it with everything derived from it, remove it from the conversation, restore it.
import type { Notes } from 'agent-harness/builtins/tools/memory';
import { messageOf } from 'agent-harness/lib/errors';
import { sha256 } from 'agent-harness/lib/hash';
import { clip, oneLine } from 'agent-harness/lib/text';
import type { RemovalLeftover, Turns } from 'agent-harness/plugins/agent';
import type { ViewAction, ViewAnswer } from 'agent-harness/plugins/views';
import type { Why, WhyAnswer, WhyQuestion } from './contract.ts';
import type { DerivedNotes } from './derived-notes.ts';
import type { FoundDerived } from './derived-of.ts';
import type { StoredTexts } from './stored-texts.ts';

export interface WhyViewParts {
  readonly why: Pick<Why, 'explain'>;
  readonly turns: Pick<Turns, 'remove' | 'restore'>;
  readonly notes: Pick<Notes, 'forget'> | undefined;
  readonly keepers: Pick<StoredTexts, 'get'>;
  readonly derived: Pick<DerivedNotes, 'dropWords'>;
}

export interface Offer {
  readonly action: ViewAction;
  run(parts: WhyViewParts): Promise<ViewAnswer>;
}

const removeLeft = /* t */ 'Remove what is left of it';
const longestReason = 160;
const longestNames = 240;
const longestQuestion = 480;

export function deletable(derived: WhyAnswer['derived']): FoundDerived[] {
  return (derived as readonly FoundDerived[]).filter(({ kind, isYours }) => kind !== 'summary' && isYours !== true);
}

/** Each action id contains a hash of the list: a changed list invalidates it, so that only shown items are deleted. */
export function offersOf(answer: WhyAnswer, question: WhyQuestion): Offer[] {
  const listed = deletable(answer.derived);
  const { chatId, call, message } = question;
  const own = deletable(answer.own ?? []);
  const notes = [...own, ...listed];
  const mark = sha256([...(answer.own ?? []), ...answer.derived.filter(({ kind }) => kind !== 'summary')].map(({ key }) => key).join('\n')).slice(0, 12);
  const names = clip(notes.map(({ id }) => id).join(', '), longestNames);
  const places = [...new Set(notes.flatMap(({ kind, where }) => (kind === 'text' && where !== undefined ? [where] : [])))];
  const lost = places.length === 0 ? '' : `What goes from ${places.join(', ')} cannot be got back.`;
  const id = call ?? message;
  const offers: Offer[] = [];
  if (id !== undefined && question.text === undefined && answer.isRead === true) {
    offers.push({
      action: {
        id: `take-out-${mark}`,
        kind: 'danger',
        label: notes.length === 0 ? /* t */ 'Take it out' : /* t */ 'Take it out and delete what came from it',
        confirm: asking(
          'The model will not read it any more, and a summary that tells of it is made anew; the journal keeps it.',
          names === '' ? '' : `Deleted with it: ${names}.`,
          lost,
        ),
      },
      async run(parts) {
        const left = await parts.turns.remove(chatId, id);
        const deleted = notes.length === 0 ? '' : (await forgetAll(parts, notes)).message;
        return { message: sentences('The model does not read it any more.', leftSentence(left), deleted) };
      },
    });
  }
  if (id !== undefined && answer.isRead === false && answer.left?.length) {
    offers.push({
      action: { id: 'remove-left', label: removeLeft },
      async run(parts) {
        const left = await parts.turns.remove(chatId, id);
        return { message: sentences(leftSentence(left)) || 'What was made of it is removed.' };
      },
    });
  }
  if (id !== undefined && answer.isRead === false) {
    offers.push({
      action: { id: 'put-back', label: /* t */ 'Let the model read it again' },
      async run(parts) {
        await parts.turns.restore(chatId, id);
        return { message: 'From the next request on the model reads it again.' };
      },
    });
  }
  if (notes.length > 0) {
    const label =
      own.length === 0 ? /* t */ 'Delete what came from it' : listed.length === 0 ? /* t */ 'Delete this note' : /* t */ 'Delete this and what came from it';
    offers.push({
      action: { id: `delete-all-${mark}`, kind: 'danger', label, confirm: asking(`Delete ${names}?`, lost) },
      run: async (parts) => forgetAll(parts, notes),
    });
  }
  return offers;
}

export async function forgetAll(parts: Omit<WhyViewParts, 'why' | 'turns'>, those: readonly FoundDerived[]): Promise<{ readonly message: string }> {
  let count = 0;
  const lost = new Map<string, number>();
  const left: string[] = [];
  for (const one of those) {
    try {
      if (!(await forget(parts, one))) left.push(`${one.id} was not deleted: it is gone, or another one by now.`);
      else if (one.kind === 'note') count++;
      else lost.set(one.where ?? '', (lost.get(one.where ?? '') ?? 0) + 1);
    } catch (fault) {
      left.push(`${one.id} could not be deleted: ${reason(messageOf(fault))}.`);
    }
  }
  return {
    message: sentences(
      count === 0 ? '' : `${countOf(count)} deleted. For 30 days they can be restored on the page of the memory.`,
      ...[...lost].map(([where, of]) => `${countOf(of, ` of ${where}`)} deleted for good.`),
      ...left,
    ),
  };
}

async function forget({ notes, keepers, derived }: Omit<WhyViewParts, 'why' | 'turns'>, { id, scope, place, kept }: FoundDerived): Promise<boolean> {
  if (!kept) return (await notes?.forget(place, id, scope)) !== undefined;
  const isGone = (await keepers.get(kept.keeper)?.drop(id, kept.version)) === true;
  if (isGone) await derived.dropWords(kept.keeper, id);
  return isGone;
}

function countOf(count: number, of = ''): string {
  return count === 1 ? `One note${of} is` : `${count} notes${of} are`;
}

function leftSentence(left: readonly RemovalLeftover[]): string {
  if (left.length === 0) return '';
  return `${left.map(({ plugin, why }) => `What the plugin ${plugin} made of it could not be removed: ${reason(why)}.`).join(' ')} The rest is done; ‘${removeLeft}’ tries it again.`;
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
