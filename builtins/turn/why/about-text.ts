// Explains a sentence: lists the prompt parts, messages, answers, calls and notes that contain it, its sources, and the items derived from it.
import { squeeze, squeezeWithPlaces } from '#lib/squeeze';
import { oneLine } from '#lib/text';
import { entryPart, inTask, textsIn, writtenBy } from './about-call.ts';
import { noSource } from './about-message.ts';
import { sectionPart, splitSentences } from './about-turn.ts';
import type { WhyAnswer, WhyPart, WhyQuestion } from './contract.ts';
import { noteScopes } from './derived-notes.ts';
import { derivedNotesOf, mostNotes } from './derived-of.ts';
import { madeBy, sentBy, sourcesOfPiece, type KnownChat } from './known-chat.ts';
import type { Place, SeenCall, SeenChat } from './read-chat.ts';
import { shortestRun } from './stored-texts.ts';
import type { Piece } from './turn-provenance.ts';

type Entry = SeenChat['entries'][number];

const mostHolders = 12;

/**
 * @param within location of the text, if known: a message, a call, or the prompt of a turn
 * @returns the explanation; `undefined` if the location does not exist
 */
export async function aboutText(known: KnownChat, text: string, within: Pick<WhyQuestion, 'turn' | 'message' | 'call'>): Promise<WhyAnswer | undefined> {
  const { turn, message, call } = within;
  const named = message === undefined ? (call === undefined ? undefined : known.callOf(call)) : known.messageOf(message);
  const isNamed = message !== undefined || call !== undefined;
  if (isNamed ? !named : turn !== undefined && !known.turnIds.includes(turn)) return undefined;
  const wanted = bare(text);
  const holds = (whole: string): boolean => wanted !== '' && bare(whole).includes(wanted);

  const place = named && withinTask(known, named, holds);
  const turnIds = isNamed ? [] : turn === undefined ? known.turnIds.toReversed() : [turn];
  const turnId = turnIds.find((id) => known.provenanceOf(id)?.pieces.some((piece) => holds(piece.text)));
  const pieces = turnId === undefined ? [] : (known.provenanceOf(turnId)?.pieces.filter((piece) => holds(piece.text)) ?? []);
  const entries = place
    ? [place]
    : turn === undefined
      ? known.entries.filter((entry) => isRead(known, entry) && textsOf(entry).some(holds)).slice(-mostHolders)
      : [];
  // Words of the model have earlier sources; for the output of a call, the call is the source; a text that was sent is itself the source.
  const written = entries.findLast((entry) => entry.kind === 'answer' || (entry.kind === 'call' && holdsInArgs(entry, holds)));
  const brought = written ? undefined : entries.findLast((entry) => entry.kind === 'call');
  // A shorter text can be identified only by the sentence around it.
  const whole = wanted.length >= shortestRun ? undefined : sentenceAround(written ?? brought ?? entries.at(-1), holds);
  const asked = whole ?? text;
  const before: Place | undefined = written ?? afterResult(brought) ?? (pieces.length > 0 ? afterTurn(known, turnId) : undefined);
  const isSource = entries.length > 0 && !written && !brought && pieces.length === 0;
  const sources = isSource ? [] : await known.sourcesOf([{ text: asked }], before);
  const found = [...pieces.flatMap((piece) => sourcesOfPiece(partOf(piece, text))), ...sources];
  const notes = isNamed || turn !== undefined ? [] : await notesWith(known, holds);
  const isNowhere = pieces.length + entries.length + found.length + notes.length === 0;
  return {
    title: `Why “${oneLine(asked, 80)}”`,
    says: [
      ...(whole === undefined ? [] : [`“${oneLine(text, 80)}” is too short to be identified; this explains the sentence around it.`]),
      ...pieces.map((piece) => `It is in the prompt, in ‘${piece.id}’. ${madeBy(piece)}`),
      ...(written?.kind === 'answer' && textsOf(written).some(holds)
        ? [written.task ? `It is in an answer of the model${inTask(written.task)}.` : /* t */ 'It is in an answer of the model.']
        : place
          ? [holderOf(place, holds)]
          : []),
      ...(written && found.length === 0 && textsOf(written).some(holds) ? [noSource] : []),
      ...(isNowhere ? [/* t */ 'It was not found in this chat, or is too short to search for.'] : []),
    ],
    parts: [
      ...pieces.map((piece) => sectionPart(piece, turnId ?? '')),
      ...entries.map((entry) => entryPart(known, entry, place ? '' : holderOf(entry, holds))),
      ...notes,
    ],
    sources: found,
    derived: await derivedNotesOf(known, ({ sources: of }) => {
      const repeated = of.find(
        ({ quote = '', ref, callId }) => isOverlap(bare(quote), wanted) && (!isNamed || ref === (message ?? call) || (callId !== undefined && callId === call)),
      );
      return repeated && `It repeats: “${repeated.quote ?? ''}”`;
    }),
  };
}

/** Normalises text as rendered Markdown, without link targets and list numbers; keeps only the characters that distinguish texts. */
function bare(text: string): string {
  return squeeze(text.replace(/\]\([^()\s]*(?:\s"[^"]*")?\)/g, ']').replace(/^\s*\d{1,3}[.)]\s+/gm, ''));
}

/** Returns whether the model reads an entry; it does not read the arguments of commands and the replies to them. */
function isRead(known: KnownChat, { kind, turnId }: Entry): boolean {
  return kind === 'call' || turnId === undefined || known.isOfModel(turnId);
}

/** Returns the entry that contains the words: the call itself, otherwise a call or an answer in its task. */
function withinTask({ entries }: KnownChat, named: Entry, holds: (whole: string) => boolean): Entry {
  if (named.kind !== 'call' || textsOf(named).some(holds)) return named;
  return entries.find((entry) => entry.kind !== 'message' && entry.task?.callId === named.callId && textsOf(entry).some(holds)) ?? named;
}

function isOverlap(one: string, other: string): boolean {
  return one.length >= shortestRun && other.length >= shortestRun && (one.includes(other) || other.includes(one));
}

function textsOf(entry: Entry): string[] {
  return entry.kind === 'call' ? [...textsIn(entry.args).map(({ text }) => text), entry.result?.output ?? ''] : [entry.text];
}

function holdsInArgs({ args }: SeenCall, holds: (whole: string) => boolean): boolean {
  return textsIn(args).some(({ text }) => holds(text));
}

function sentenceAround(entry: Entry | undefined, holds: (whole: string) => boolean): string | undefined {
  const text = entry && textsOf(entry).find(holds);
  const found = text === undefined ? undefined : splitSentences(text).find(holds);
  return found !== undefined && bare(found).length >= shortestRun ? found : undefined;
}

function afterResult(entry: Entry | undefined): Place | undefined {
  return entry?.kind === 'call' && entry.result ? { id: entry.result.id + 1, at: entry.result.at } : undefined;
}

function afterTurn({ entries, turnIds }: KnownChat, turnId: string | undefined): Place | undefined {
  const at = turnId === undefined ? -1 : turnIds.indexOf(turnId);
  const later = at === -1 ? new Set<string>() : new Set(turnIds.slice(at + 1));
  return entries.find((entry) => later.has(entry.turnId ?? ''));
}

function holderOf(entry: Entry, holds: (whole: string) => boolean): string {
  if (!textsOf(entry).some(holds)) return /* t */ 'It is not in the stored text: it is reasoning of the model, or a label of the page.';
  if (entry.kind === 'answer') return writtenBy(entry);
  if (entry.kind === 'message') return `It is in a message. ${sentBy(entry)}`;
  const field = textsIn(entry.args).find(({ text }) => holds(text))?.field;
  if (field !== undefined) return `It is in the argument ${field} of this call.`;
  return entry.result?.isOutside
    ? /* t */ 'It comes from the result of this call, which is external content.'
    : /* t */ 'It comes from the result of this call.';
}

async function notesWith({ place, parts }: KnownChat, holds: (whole: string) => boolean): Promise<WhyPart[]> {
  const all = (await parts.services.notes?.newest(place, noteScopes, mostNotes)) ?? [];
  return all
    .filter(({ value }) => holds(value))
    .slice(0, mostHolders)
    .map(({ id, value }) => ({ kind: 'note', text: oneLine(`${id}: ${value}`, 160), by: /* t */ 'It is in this note.', asks: { note: id } }));
}

/** Returns the piece with only those sources that apply at the position of the text. */
function partOf(piece: Piece, text: string): Piece {
  const { from = [] } = piece;
  if (!from.some(({ start }) => start !== undefined)) return piece;
  const { text: whole, places } = squeezeWithPlaces(piece.text);
  const wanted = squeeze(text);
  const at = whole.indexOf(wanted);
  if (at === -1 || wanted === '') return piece;
  const [first = 0, last = 0] = [places[at], places[at + wanted.length - 1]];
  return { ...piece, from: from.filter(({ start = 0, end = piece.text.length }) => start <= last && first < end) };
}
