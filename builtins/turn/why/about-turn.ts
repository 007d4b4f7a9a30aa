// Explains a turn: the parts of the model's input with their authors, the messages and calls, and the changes made by plugins.
import { oneLine, textStart } from '#lib/text';
import type { WhyAnswer, WhyQuestion, WhyPart } from './contract.ts';
import { entryPart } from './about-call.ts';
import { derivedNotesOf } from './derived-of.ts';
import { madeBy, sentBy, sourcesOfPiece, type KnownChat } from './known-chat.ts';
import type { Piece, Step } from './turn-provenance.ts';

const shown = 160;
const longestSentence = 500;
const mostSentences = 300;

export async function aboutTurn(known: KnownChat, turnId: string): Promise<WhyAnswer> {
  const provenance = known.provenanceOf(turnId);
  const entries = known.entries.filter((entry) => entry.turnId === turnId);
  const first = entries.find((entry) => entry.kind === 'message');
  const pieces = provenance?.pieces ?? [];
  const derived = await derivedNotesOf(known, (row) =>
    row.turnId === turnId && row.chatId === known.place.chatId ? 'It was stored in this turn.' : undefined,
  );
  return {
    title: first ? `Why: the turn “${oneLine(first.text, 60)}”` : 'Why: this turn',
    says: [
      ...(first ? [sentBy(first)] : []),
      pieces.length > 0
        ? /* t */ 'Below are the parts of the model input besides the conversation, with the plugin that added each part; then the messages and calls; then the changes by plugins.'
        : /* t */ 'The parts of its prompt are unknown: no model was called, or the records of the turn have expired.',
    ],
    parts: [...sectionParts(pieces, turnId), ...entries.map((entry) => entryPart(known, entry)), ...(provenance?.steps ?? []).map(stepPart)],
    sources: [],
    derived,
  };
}

export function aboutSection(known: KnownChat, turnId: string, section: string): WhyAnswer | undefined {
  const pieces = known.provenanceOf(turnId)?.pieces.filter((piece) => keyOfPiece(piece) === section) ?? [];
  if (pieces.length === 0) return undefined;
  return {
    title: `Why ‘${pieces[0]?.id}’ is in the prompt`,
    says: [...new Set(pieces.map(madeBy))],
    parts: pieces.flatMap((piece) =>
      splitSentences(piece.text).map((text): WhyPart => ({ ...sentencePart(text, { turn: turnId }), plugin: piece.plugin, hook: piece.hook })),
    ),
    sources: pieces.flatMap(sourcesOfPiece),
    derived: [],
  };
}

export function sentencePart(text: string, of: WhyQuestion): WhyPart {
  return { kind: 'sentence', text, by: '', asks: { ...of, text: textStart(text, longestSentence) } };
}

/** Splits a text into lines, and the lines into sentences. */
export function splitSentences(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'sentence' });
  const lines = text.split('\n').flatMap((line) => [...segmenter.segment(line)].map(({ segment }) => segment.trim()));
  return lines.filter((line) => /[\p{L}\p{N}]/u.test(line) && !/^\d{1,3}[.)]$/.test(line)).slice(0, mostSentences);
}

export function keyOfPiece({ place, id }: Piece): string {
  return place === 'system' ? id : `after-${id}`;
}

export function sectionPart(piece: Piece, turn: string): WhyPart {
  return { kind: 'section', text: piece.id, by: '', plugin: piece.plugin, hook: piece.hook, asks: { turn, section: keyOfPiece(piece) } };
}

function sectionParts(pieces: readonly Piece[], turnId: string): WhyPart[] {
  const isSame = (one: Piece, other: Piece): boolean => keyOfPiece(one) === keyOfPiece(other) && one.plugin === other.plugin;
  const first = pieces.filter((piece, at) => pieces.findIndex((one) => isSame(one, piece)) === at);
  return first.map((piece) => ({
    ...sectionPart(piece, turnId),
    text: `${piece.id}${piece.place === 'tail' ? ' (after the conversation)' : ''}: ${oneLine(piece.text, shown)}`,
    by: madeBy(piece),
  }));
}

function stepPart({ hook, plugin, what, round, callId }: Step): WhyPart {
  const words = what.join(', ');
  const text = hook === 'turn.intercept' ? `${plugin} answered without a model` : `${plugin} changed ${words}`;
  const of = callId === undefined ? (round > 0 ? `, request ${round}` : '') : ', of a call';
  return { kind: 'change', text, by: `At the hook ${hook}${of}.`, plugin, hook, ...(callId === undefined ? {} : { asks: { call: callId } }) };
}
