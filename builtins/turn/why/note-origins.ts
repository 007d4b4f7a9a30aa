// Finds and records the sources of a note or a stored text when it is saved.
import type { NotePlace, NoteScope } from 'agent-harness/builtins/tools/memory';
import type { TraceOptions } from 'agent-harness/builtins/turn/origins';
import { oneLine } from '#lib/text';
import type { KeepsText } from './contract.ts';
import { longestQuote, sourceOf, sourceOfEvidence, type DerivedSource } from './derived-notes.ts';
import type { WhyParts } from './known-chat.ts';
import { readChat, type Place, type SeenChat } from './read-chat.ts';

export interface KeptNote {
  readonly chatId: string;
  readonly noteId: string;
  readonly scope: NoteScope;
}

type OriginsParts = Pick<WhyParts, 'services' | 'derived'>;

const mostSources = 12;

export async function writeNoteOrigins({ services, derived }: OriginsParts, { chatId, noteId, scope }: KeptNote): Promise<void> {
  const { place, entries } = await read(services, chatId);
  const note = await services.notes?.peek(place, noteId, scope);
  if (!note || note.deletedAt !== undefined) return;
  const call = entries.findLast((entry) => entry.kind === 'call' && entry.notes.includes(noteId));
  const traced = await sourcesIn(services, place, note.value, { withoutNote: noteId, ...upTo(call) });
  const turnId = call?.turnId ?? (/^turn_/.test(note.source.ref) ? note.source.ref : undefined);
  await derived.add({
    ...{ noteId, scope, ...place, at: new Date().toISOString() },
    ...(turnId === undefined ? {} : { turnId }),
    ...(call?.kind === 'call' ? { callId: call.callId } : {}),
    sources: [...(note.evidence ?? []).map(sourceOfEvidence), ...traced].slice(0, mostSources),
  });
}

export async function writeTextOrigins({ services, derived }: OriginsParts, { keeper, id: noteId, text, chatId, turnId, callId }: KeepsText): Promise<void> {
  const { place, entries } = await read(services, chatId);
  const call = entries.find((entry) => entry.kind === 'call' && entry.callId === callId);
  const sources = await sourcesIn(services, place, text, upTo(call));
  await derived.add({
    ...{ keeper, noteId, ...place, turnId, callId, at: new Date().toISOString() },
    ...(sources.some(({ kind }) => kind === 'secret') ? {} : { words: oneLine(text, longestQuote) }),
    sources: sources.slice(0, mostSources),
  });
}

async function read({ chats, eventLog }: WhyParts['services'], chatId: string): Promise<SeenChat & { readonly place: NotePlace }> {
  const { workspaceRoot } = await chats.peek(chatId);
  await eventLog.flushed(chatId);
  return { ...(await readChat(eventLog.read(chatId))), place: { chatId, workspaceRoot } };
}

/** Excludes entries after the call: the turn continues in the meantime, and later entries are not sources of the saved text. */
function upTo(call: Place | undefined): Pick<TraceOptions, 'before'> {
  return call ? { before: { id: call.id, at: call.at } } : {};
}

async function sourcesIn({ origins }: WhyParts['services'], place: NotePlace, text: string, options: TraceOptions = {}): Promise<DerivedSource[]> {
  const spans = (await origins.trace(place, [text], options))[0] ?? [];
  const secrets = (await origins.find(place, [text])).spans.flat().filter(({ origin }) => origin.kind === 'secret');
  return [...secrets, ...spans].map((span) => sourceOf(text, span));
}
