// Finds and records the sources of a note or another text when it is saved.
import type { NoteEvidence, NotePlace, Notes, NoteScope } from 'agent-harness/builtins/tools/memory';
import type { Origins, OriginSpan, TraceOptions } from 'agent-harness/builtins/turn/origins';
import { oneLine } from 'agent-harness/lib/text';
import type { Chats, EventLog } from 'agent-harness/plugins/chats';
import type { KeepsText } from './contract.ts';
import type { DerivedNotes, DerivedSource } from './derived-notes.ts';
import { readChat, type Place } from './read-chat.ts';

export interface NoteOriginsParts {
  readonly notes: Pick<Notes, 'peek'>;
  readonly origins: Pick<Origins, 'trace' | 'find'>;
  readonly chats: Pick<Chats, 'peek'>;
  readonly eventLog: Pick<EventLog, 'flushed' | 'read'>;
  readonly derived: DerivedNotes;
}

export interface KeptNote {
  readonly chatId: string;
  readonly noteId: string;
  readonly scope: NoteScope;
}

const longestQuote = 200;
const mostSources = 12;

export async function writeNoteOrigins({ notes, origins, chats, eventLog, derived }: NoteOriginsParts, { chatId, noteId, scope }: KeptNote): Promise<void> {
  const { workspaceRoot } = await chats.peek(chatId);
  const place: NotePlace = { chatId, workspaceRoot };
  const note = await notes.peek(place, noteId, scope);
  if (!note || note.deletedAt !== undefined) return;
  await eventLog.flushed(chatId);
  const { entries } = await readChat(eventLog.read(chatId));
  const call = entries.findLast((entry) => entry.kind === 'call' && entry.notes.includes(noteId));
  const traced = await sourcesIn(origins, place, note.value, { withoutNote: noteId, ...upTo(call) });
  const sources = [...(note.evidence ?? []).map(sourceOfEvidence), ...traced];
  const turnId = call?.turnId ?? (/^turn_/.test(note.source.ref) ? note.source.ref : undefined);
  await derived.add({
    ...{ noteId, scope, chatId, workspaceRoot, at: new Date().toISOString() },
    ...(turnId === undefined ? {} : { turnId }),
    ...(call?.kind === 'call' ? { callId: call.callId } : {}),
    sources: sources.slice(0, mostSources),
  });
}

export async function writeTextOrigins(
  { origins, chats, eventLog, derived }: Omit<NoteOriginsParts, 'notes'>,
  { keeper, id: noteId, text, chatId, turnId, callId }: KeepsText,
): Promise<void> {
  const { workspaceRoot } = await chats.peek(chatId);
  await eventLog.flushed(chatId);
  const { entries } = await readChat(eventLog.read(chatId));
  const call = entries.find((entry) => entry.kind === 'call' && entry.callId === callId);
  const sources = await sourcesIn(origins, { chatId, workspaceRoot }, text, upTo(call));
  const hasSecret = sources.some(({ kind }) => kind === 'secret');
  await derived.add({
    ...{ keeper, noteId, chatId, workspaceRoot, turnId, callId, at: new Date().toISOString() },
    ...(hasSecret ? {} : { words: oneLine(text, longestQuote) }),
    sources: sources.slice(0, mostSources),
  });
}

/** The turn continues meanwhile: entries after the call are no sources of the saved text. */
function upTo(call: Place | undefined): Pick<TraceOptions, 'before'> {
  return call ? { before: { id: call.id, at: call.at } } : {};
}

async function sourcesIn(origins: NoteOriginsParts['origins'], place: NotePlace, text: string, options: TraceOptions = {}): Promise<DerivedSource[]> {
  const spans = (await origins.trace(place, [text], options))[0] ?? [];
  const secrets = (await origins.find(place, [text])).spans.flat().filter(({ origin }) => origin.kind === 'secret');
  return [...secrets, ...spans].map((span) => sourceOf(text, span));
}

export function sourceOf(text: string, { start, end, origin }: OriginSpan): DerivedSource {
  const { kind, ref, turnId, callId } = origin;
  return {
    ...{ kind, ref },
    ...(turnId === undefined ? {} : { turnId }),
    ...(callId === undefined ? {} : { callId }),
    ...(kind === 'secret' ? {} : { quote: oneLine(text.slice(start, end), longestQuote) }),
  };
}

/** An entry of a chat is a message or a call. */
export function sourceOfEvidence({ entryId, turnId, quote, class: of }: NoteEvidence): DerivedSource {
  const kind = of === 'tool' ? 'service' : of === 'model' ? 'task' : of;
  return {
    kind,
    ref: entryId,
    quote: oneLine(quote, longestQuote),
    ...(turnId === undefined ? {} : { turnId }),
    ...(of === 'user' ? {} : { callId: entryId }),
  };
}
