// Explains a message: its author and sources; and what was derived from a file, a page or a note.
import type { Note } from 'agent-harness/builtins/tools/memory';
import { oneLine, textStart } from 'agent-harness/lib/text';
import type { WhyAnswer, WhyPart, WhySource } from './contract.ts';
import { inTask } from './about-call.ts';
import { splitSentences } from './about-turn.ts';
import { derivedNotesOf, foundNote, summaryOf, textsOf, yours } from './derived-of.ts';
import { readingOf, sentBy, type KnownChat } from './known-chat.ts';
import { noteScopes, type DerivedSource } from './derived-notes.ts';
import { sourceOfEvidence } from './note-origins.ts';
import type { SaidAnswer, SaidMessage } from './read-chat.ts';

const longestSentence = 500;
export const noSource = /* t */ 'Written by the model: nothing in it repeats what the chat contained before.';

export async function aboutMessage(known: KnownChat, message: SaidMessage | SaidAnswer): Promise<WhyAnswer> {
  const { text, messageId, turnId } = message;
  const turn: WhyPart[] = turnId === undefined ? [] : [{ kind: 'message', text: /* t */ 'Its turn', by: '', asks: { turn: turnId } }];
  const derived = await derivedNotesOf(known, ({ turnId: of, chatId, sources }) => {
    const repeated = sources.find(({ ref }) => ref === messageId);
    if (repeated) return `It repeats words of this message: “${repeated.quote ?? '…'}”`;
    return message.kind === 'message' && of === turnId && chatId === known.place.chatId ? 'It was kept in the turn that this message began.' : undefined;
  });
  const { says, ...reading } = readingOf(known, messageId);
  if (message.kind === 'message') {
    const how =
      message.event === 'announcement'
        ? `It is an announcement${message.isForModel ? ', which the model reads, too' : ', which the model does not read'}.`
        : undefined;
    return {
      title: `Why the message “${oneLine(text, 60)}”`,
      says: [...says, sentBy(message), ...(how === undefined ? [] : [how])],
      parts: turn,
      sources: [],
      derived: [...derived, ...summaryOf(known, message)],
      ...(message.isForModel ? reading : {}),
    };
  }
  const sources = await known.sourcesOf([{ text }], message);
  const ofSentence = (sentence: string): WhyPart => ({
    kind: 'sentence',
    text: sentence,
    by: '',
    asks: { message: messageId, text: textStart(sentence, longestSentence) },
  });
  return {
    title: `Why the answer “${oneLine(text, 60)}”`,
    says: [...says, `The model wrote it${inTask(message.task)}.`, sources.length > 0 ? /* t */ 'Parts of it come from the sources below.' : noSource],
    parts: [...splitSentences(text).map(ofSentence), ...turn],
    sources,
    derived: [...derived, ...(message.task ? [] : summaryOf(known, message))],
    ...(message.task ? {} : reading),
  };
}

export async function aboutNote(known: KnownChat, id: string): Promise<WhyAnswer | undefined> {
  const note = await findNote(known, id);
  if (!note) return undefined;
  const { source, evidence = [], value, scope } = note;
  const row = known.derivedNotes.findLast((one) => one.noteId === note.id && one.scope === scope);
  const kept = row?.callId;
  const turnId = row?.turnId ?? (source.ref.startsWith('turn_') ? source.ref : undefined);
  const chatId = row?.chatId ?? evidence[0]?.chatId;
  const from = [...evidence.map(sourceOfEvidence), ...(row?.sources ?? [])];
  const inChat = chatId === undefined ? {} : { chatId };
  return {
    title: `Why the note ${note.id}`,
    says: [
      `“${oneLine(value, 300)}”`,
      keptBy(note, kept !== undefined),
      ...(note.waits === undefined ? [] : [`It waits for a person: ${note.waits}`]),
      ...(note.deletedAt === undefined ? [] : [/* t */ 'It is deleted.']),
      from.length > 0 ? /* t */ 'Its words come from the sources below.' : /* t */ 'No source is known for its words: the author of the note wrote them.',
    ],
    parts: [
      ...(kept === undefined ? [] : [keptPart(chatId, kept)]),
      ...(turnId === undefined ? [] : [{ kind: 'message' as const, text: /* t */ 'The turn in which it was kept', by: '', asks: { ...inChat, turn: turnId } }]),
    ],
    sources: unique(from).map((one) => linked(one, inChat)),
    derived: await derivedNotesOf(known, ({ sources }) => {
      const repeated = sources.find(({ kind, ref }) => kind === 'memory' && ref === note.id);
      return repeated && `It repeats words of this note: “${repeated.quote ?? '…'}”`;
    }),
    own: note.deletedAt === undefined ? [foundNote(note, known.place, '')] : [],
  };
}

/** Explains a file, a page or any other origin; also a stored text, by id. */
export async function aboutSource(known: KnownChat, ref: string): Promise<WhyAnswer | undefined> {
  const rows = known.derivedTexts.filter(({ noteId }) => noteId === ref);
  const kept = await textsOf(known, rows);
  const calls = known.entries.filter((entry) => entry.kind === 'call' && Object.values(entry.args).includes(ref));
  const derived = await derivedNotesOf(known, ({ keeper, noteId, sources }) => {
    const repeated = keeper !== undefined && noteId === ref ? undefined : sources.find((source) => isFrom(source, ref));
    return repeated && `It repeats words from there: “${repeated.quote ?? '…'}”`;
  });
  const [own] = kept;
  if (rows.length === 0 && calls.length === 0 && derived.length === 0) return undefined;
  const named = new Set(calls.map((call) => (call.kind === 'call' ? call.callId : '')));
  const writers = kept.filter(({ row: { callId = '' } }) => !named.has(callId));
  return {
    title: `What came from ${oneLine(ref, 80)}`,
    says: [
      ...(own ? [`The agent wrote it by a call; it is kept in ${own.found.where ?? own.row.keeper}.`] : []),
      ...(own?.found.isYours ? [yours] : []),
      ...(rows.length > 0 && !own ? [/* t */ 'It was kept by a call, and is not there now.'] : []),
      `${calls.length === 0 ? 'No call' : calls.length === 1 ? 'One call' : `${calls.length} calls`} of this chat named it; ${derived.length === 0 ? 'no note is' : `${derived.length} of the notes are`} known to repeat it.`,
    ],
    parts: [
      ...writers.map(({ row }) => keptPart(row.chatId, row.callId)),
      ...calls.map((call): WhyPart => ({
        kind: 'call',
        text: `${call.kind === 'call' ? call.name : ''} ${ref}`,
        by: '',
        asks: call.kind === 'call' ? { call: call.callId } : {},
      })),
    ],
    sources: kept.flatMap(({ row }) => unique(row.sources).map((one) => linked(one, { chatId: row.chatId }))),
    derived: [...derived, ...summaryOf(known, calls[0])],
    own: own ? [own.found] : [],
  };
}

/** An origin starts with the tool and its subject, except for files and pages. */
function isFrom(source: DerivedSource, ref: string): boolean {
  return source.ref === ref || source.ref.endsWith(` ${ref}`);
}

export async function aboutChat(known: KnownChat): Promise<WhyAnswer> {
  const turnIds = new Set(known.turnIds);
  const derived = await derivedNotesOf(known, ({ chatId, turnId, sources }) => {
    if (chatId !== known.place.chatId && !turnIds.has(turnId ?? '') && !sources.some((source) => turnIds.has(source.turnId ?? ''))) return undefined;
    const repeated = sources.find(({ quote }) => quote !== undefined);
    return repeated ? `It was kept here, and repeats: “${repeated.quote ?? ''}”` : 'It was kept here.';
  });
  const first = known.entries[0];
  const count = derived.length === 0 ? 'No note is' : derived.length === 1 ? 'One note is' : `${derived.length} notes are`;
  return {
    title: /* t */ 'What came from this chat',
    says: [`${count} known to come from it.`],
    parts: [],
    sources: [],
    derived: [...derived, ...summaryOf(known, first)],
  };
}

export async function findNote({ place, parts: { notes } }: KnownChat, id: string): Promise<Note | undefined> {
  for (const scope of noteScopes) {
    const note = await notes?.peek(place, id, scope);
    if (note) return note;
  }
  return undefined;
}

function keptPart(chatId: string | undefined, call: string | undefined): WhyPart {
  return {
    kind: 'call',
    text: /* t */ 'The call that kept it',
    by: '',
    asks: { ...(chatId === undefined ? {} : { chatId }), ...(call === undefined ? {} : { call }) },
  };
}

function keptBy({ source: { kind, ref }, scope, createdAt }: Note, isCall: boolean): string {
  const who = {
    user: 'You kept it',
    team: `${ref} of the team wrote it`,
    tool: `A tool or plugin kept it (${ref})`,
    web: 'It rests on text from outside; the agent kept it',
    model: isCall ? 'The agent kept it by a call' : 'The agent or a plugin of its own kept it, by no call',
  }[kind];
  return `${who}, ${createdAt.slice(0, 16).replace('T', ' ')} UTC, ${scope === 'global' ? 'for everywhere' : `for this ${scope}`}.`;
}

function unique(sources: readonly DerivedSource[]): DerivedSource[] {
  return [...new Map(sources.map((one) => [`${one.ref} ${one.quote ?? ''}`, one])).values()];
}

function linked({ kind, ref, quote, callId }: DerivedSource, inChat: { readonly chatId?: string }): WhySource {
  const asks =
    callId === undefined
      ? kind === 'user'
        ? { ...inChat, message: ref }
        : kind === 'memory'
          ? { note: ref }
          : { ...inChat, source: ref }
      : { ...inChat, call: callId };
  const shown = kind === 'user' ? 'what you said' : kind === 'memory' ? `the note ${ref}` : ref;
  return { kind, ref: shown, ...(quote === undefined ? {} : { quote }), ...(kind === 'secret' ? {} : { asks }) };
}
