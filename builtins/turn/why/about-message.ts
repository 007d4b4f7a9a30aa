// Explains a message, a note or a source by its author and its sources, and lists the items derived from it.
import type { Note } from 'agent-harness/builtins/tools/memory';
import { oneLine } from '#lib/text';
import { writtenBy } from './about-call.ts';
import { sentencePart, splitSentences } from './about-turn.ts';
import type { WhyAnswer, WhyPart } from './contract.ts';
import { sourceOfEvidence, type DerivedRow, type DerivedSource } from './derived-notes.ts';
import { derivedNotesOf, foundNote, repeats, summaryOf, textsOf, yours } from './derived-of.ts';
import { readingOf, sentBy, type KnownChat } from './known-chat.ts';
import type { SaidAnswer, SaidMessage, SeenCall } from './read-chat.ts';

export const noSource = /* t */ 'Written by the model: nothing in it repeats what the chat contained before.';

export async function aboutMessage(known: KnownChat, message: SaidMessage | SaidAnswer): Promise<WhyAnswer> {
  const { text, messageId, turnId } = message;
  const turn: WhyPart[] = turnId === undefined ? [] : [{ kind: 'message', text: /* t */ 'Its turn', by: '', asks: { turn: turnId } }];
  const derived = await derivedNotesOf(known, (row) => {
    const isOfTurn = message.kind === 'message' && row.turnId === turnId && row.chatId === known.place.chatId;
    const repeated = repeats(row, ({ ref }) => ref === messageId, 'words of this message');
    return repeated ?? (isOfTurn ? 'It was stored in the turn that this message started.' : undefined);
  });
  const { says, ...reading } = readingOf(known, messageId);
  if (message.kind === 'message') {
    const heard = message.isForModel ? ', which the model reads' : ', which the model does not read';
    return {
      title: `Why the message “${oneLine(text, 60)}”`,
      says: [...says, sentBy(message), ...(message.event === 'announcement' ? [`It is an announcement${heard}.`] : [])],
      parts: turn,
      sources: [],
      derived: [...derived, ...summaryOf(known, message)],
      ...(message.isForModel ? reading : {}),
    };
  }
  const sources = await known.sourcesOf([{ text }], message);
  return {
    title: `Why the answer “${oneLine(text, 60)}”`,
    says: [...says, writtenBy(message), sources.length > 0 ? /* t */ 'Parts of it come from the sources below.' : noSource],
    parts: [...splitSentences(text).map((sentence) => sentencePart(sentence, { message: messageId })), ...turn],
    sources,
    derived: [...derived, ...(message.task ? [] : summaryOf(known, message))],
    ...(message.task ? {} : reading),
  };
}

export async function aboutNote(known: KnownChat, id: string): Promise<WhyAnswer | undefined> {
  const [note] = await known.notesOf(id);
  if (!note) return undefined;
  const { source, evidence = [], value, scope } = note;
  const row = known.derivedNotes.findLast((one) => one.noteId === note.id && one.scope === scope);
  const turnId = row?.turnId ?? (source.ref.startsWith('turn_') ? source.ref : undefined);
  const chatId = row?.chatId ?? evidence[0]?.chatId;
  const from = [...evidence.map(sourceOfEvidence), ...(row?.sources ?? [])];
  const inChat = chatId === undefined ? {} : { chatId };
  return {
    title: `Why the note ${note.id}`,
    says: [
      `“${oneLine(value, 300)}”`,
      keptBy(note, row?.callId !== undefined),
      ...(note.waits === undefined ? [] : [`It is in the inbox: ${note.waits}`]),
      ...(note.deletedAt === undefined ? [] : [/* t */ 'It is deleted.']),
      from.length > 0 ? /* t */ 'Its words come from the sources below.' : /* t */ 'No source is known for its words: the author of the note wrote them.',
    ],
    parts: [
      ...(row?.callId === undefined ? [] : [keptPart(row)]),
      ...(turnId === undefined
        ? []
        : [{ kind: 'message' as const, text: /* t */ 'The turn in which it was stored', by: '', asks: { ...inChat, turn: turnId } }]),
    ],
    sources: unique(from).map((one) => known.show(one, chatId)),
    derived: await derivedNotesOf(known, (one) => repeats(one, ({ kind, ref }) => kind === 'memory' && ref === note.id, 'words of this note')),
    own: note.deletedAt === undefined ? [foundNote(note, known.place, '')] : [],
  };
}

/** Explains a file, a page or any other origin, or a stored text by its id. */
export async function aboutSource(known: KnownChat, ref: string): Promise<WhyAnswer | undefined> {
  const rows = known.derivedTexts.filter(({ noteId }) => noteId === ref);
  const kept = await textsOf(known, rows);
  const calls = known.entries.filter((entry) => entry.kind === 'call' && Object.values(entry.args).includes(ref)) as SeenCall[];
  // Except for files and pages, an origin starts with the name of the tool.
  const isIt = (source: DerivedSource): boolean => source.ref === ref || source.ref.endsWith(` ${ref}`);
  const derived = await derivedNotesOf(known, (row) =>
    row.keeper !== undefined && row.noteId === ref ? undefined : repeats(row, isIt, 'words of this source'),
  );
  const [own] = kept;
  if (rows.length === 0 && calls.length === 0 && derived.length === 0) return undefined;
  const named = new Set(calls.map(({ callId }) => callId));
  return {
    title: `Derived from ${oneLine(ref, 80)}`,
    says: [
      ...(own ? [`The agent wrote it with a call; it is stored in ${own.found.where ?? ''}.`] : []),
      ...(own?.found.isYours ? [yours] : []),
      ...(rows.length > 0 && !own ? [/* t */ 'A call stored it, but it no longer exists.'] : []),
      `${calls.length === 0 ? 'No call' : calls.length === 1 ? 'One call' : `${calls.length} calls`} of this chat named it; ${derived.length === 0 ? 'no note is' : `${derived.length} of the notes are`} known to repeat it.`,
    ],
    parts: [
      ...kept.flatMap(({ row }) => (named.has(row.callId ?? '') ? [] : [keptPart(row)])),
      ...calls.map(({ name, callId }): WhyPart => ({ kind: 'call', text: `${name} ${ref}`, by: '', asks: { call: callId } })),
    ],
    sources: kept.flatMap(({ row }) => unique(row.sources).map((one) => known.show(one, row.chatId))),
    derived: [...derived, ...summaryOf(known, calls[0])],
    own: own ? [own.found] : [],
  };
}

export async function aboutChat(known: KnownChat): Promise<WhyAnswer> {
  const turnIds = new Set(known.turnIds);
  const derived = await derivedNotesOf(known, ({ chatId, turnId, sources }) => {
    if (chatId !== known.place.chatId && !turnIds.has(turnId ?? '') && !sources.some((source) => turnIds.has(source.turnId ?? ''))) return undefined;
    const repeated = sources.find(({ quote }) => quote !== undefined);
    return repeated ? `It was stored here and repeats: “${repeated.quote ?? ''}”` : 'It was stored here.';
  });
  const count = derived.length === 0 ? 'No note is' : derived.length === 1 ? 'One note is' : `${derived.length} notes are`;
  const says = [`${count} known to be derived from it.`];
  return { title: /* t */ 'Derived from this chat', says, parts: [], sources: [], derived: [...derived, ...summaryOf(known, known.entries[0])] };
}

function keptPart({ chatId, callId = '' }: DerivedRow): WhyPart {
  return { kind: 'call', text: /* t */ 'The call that stored it', by: '', asks: { chatId, call: callId } };
}

function keptBy({ source: { kind, ref }, scope, createdAt }: Note, isCall: boolean): string {
  const who = {
    user: 'You stored it',
    team: `${ref} of the team wrote it`,
    tool: `A tool or plugin stored it (${ref})`,
    web: 'The agent stored it from external content',
    model: isCall ? 'The agent stored it with a call' : 'The agent or a plugin stored it without a call',
  }[kind];
  return `${who}, ${createdAt.slice(0, 16).replace('T', ' ')} UTC, ${scope === 'global' ? 'for all workspaces' : `for this ${scope}`}.`;
}

function unique(sources: readonly DerivedSource[]): DerivedSource[] {
  return [...new Map(sources.map((one) => [`${one.ref} ${one.quote ?? ''}`, one])).values()];
}
