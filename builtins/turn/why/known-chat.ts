// Loads the journal, provenance and notes of a chat for explanations, once per question.
import type { Note, NotePlace, Notes } from 'agent-harness/builtins/tools/memory';
import type { Services } from 'agent-harness/kernel';
import { oneLine } from '#lib/text';
import type { PromptSource } from 'agent-harness/plugins/agent';
import type { Removals } from 'agent-harness/transcript';
import type { WhyAnswer, WhySource } from './contract.ts';
import { noteScopes, sourceOf, type DerivedNotes, type DerivedRow, type DerivedSource } from './derived-notes.ts';
import type { StoredTexts } from './stored-texts.ts';
import type { ProvenanceStore } from './provenance-store.ts';
import { readChat, type Place, type SaidAnswer, type SaidMessage, type SeenCall, type SeenChat } from './read-chat.ts';
import { withNotes, type Piece, type TurnProvenance } from './turn-provenance.ts';

/** Maximum length of a note in a prompt, in UTF-16 code units. */
const longestNote = 320;

export interface WhyParts {
  readonly services: Pick<Services, 'chats' | 'eventLog' | 'journals' | 'origins' | 'storage' | 'tools' | 'turns'> & { readonly notes?: Notes | undefined };
  readonly store: ProvenanceStore;
  readonly derived: DerivedNotes;
  readonly keepers: Pick<StoredTexts, 'get'>;
  /** Returns provenance by turn id, for running turns and for turns whose provenance has not been written yet. */
  openProvenance(): ReadonlyMap<string, TurnProvenance>;
  notFound(what: string): Error;
}

export interface KnownChat extends SeenChat {
  readonly place: NotePlace;
  readonly parts: WhyParts;
  readonly derivedNotes: readonly DerivedRow[];
  readonly derivedTexts: readonly DerivedRow[];
  readonly removals: Removals;
  /** Returns the provenance of a turn, with the current words of its notes. */
  provenanceOf(turnId: string): TurnProvenance | undefined;
  /** Returns whether the turn had a model request; false if a command answered it. */
  isOfModel(turnId: string): boolean;
  callOf(callId: string): SeenCall | undefined;
  messageOf(messageId: string): SaidMessage | SaidAnswer | undefined;
  /** Returns the notes with that id, in any state, narrowest scope first. */
  notesOf(noteId: string): Promise<readonly Note[]>;
  /** Adds the display name and the follow-up question to a source. @param chatId chat of the source, if it is another chat */
  show(source: DerivedSource, chatId?: string): WhySource;
  /** Returns the sources of texts. @param before only entries before this position count as sources */
  sourcesOf(texts: readonly { readonly text: string; readonly field?: string }[], before?: Place): Promise<WhySource[]>;
}

export async function openChat(parts: WhyParts, asked: string | undefined): Promise<KnownChat> {
  const { chats, eventLog, origins, notes, storage } = parts.services;
  const { chatId, workspaceRoot } = await chats.peek(asked);
  const place = { chatId, workspaceRoot };
  // A chat has no journal before its first message.
  if (await storage.has(chats.folder(chatId))) await eventLog.flushed(chatId);
  // Read before the file, so that a turn that is missing here is already in the file.
  const running = parts.openProvenance();
  const [seen, provenance, derived, removals] = await Promise.all([
    readChat(eventLog.read(chatId)),
    parts.store.read(chatId),
    parts.derived.all(),
    eventLog.removed(chatId),
  ]);
  const calls = new Map(seen.entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.callId, entry] as const] : [])));
  const messages = new Map(seen.entries.flatMap((entry) => (entry.kind === 'call' ? [] : [[entry.messageId, entry] as const])));
  async function notesOf(id: string): Promise<readonly Note[]> {
    const found = notes ? await Promise.all(noteScopes.map((scope) => notes.peek(place, id, scope))) : [];
    return found.filter((note) => note !== undefined);
  }
  const noteIds = new Set([...provenance.values()].flatMap(({ pieces }) => pieces.flatMap(({ from = [] }) => from.filter(isNote).map(({ ref }) => ref))));
  const noted = new Map(await Promise.all(Array.from(noteIds, async (id) => [id, await notesOf(id)] as const)));

  function lineOf(id: string, at = ''): string {
    const left = noted.get(id)?.filter(({ deletedAt }) => deletedAt === undefined) ?? [];
    if (left.length === 0) return '[A deleted note was here.]';
    return `- [${id}] ${left.map(({ value, updatedAt }) => `${oneLine(value, longestNote)}${updatedAt > at && at !== '' ? ' (changed later)' : ''}`).join(' · ')}`;
  }

  function show({ kind, ref, quote, callId }: DerivedSource, of = chatId): WhySource {
    const isHere = of === chatId;
    const inChat = isHere ? {} : { chatId: of };
    const said = isHere && kind === 'user' ? messages.get(ref) : undefined;
    const shown = { kind, ref: said ? `your message “${oneLine(said.text, 60)}”` : nameOf(kind, ref, callId), ...(quote === undefined ? {} : { quote }) };
    if (kind === 'secret') return shown;
    if (kind === 'memory') return { ...shown, asks: { note: ref } };
    if (callId !== undefined && (!isHere || calls.has(callId))) return { ...shown, asks: { ...inChat, call: callId } };
    if (kind === 'user') return said || !isHere ? { ...shown, asks: { ...inChat, message: ref } } : shown;
    return { ...shown, asks: { ...inChat, source: ref } };
  }

  return {
    ...seen,
    ...{ place, parts, removals, notesOf, show },
    derivedNotes: derived.filter((row) => row.keeper === undefined),
    derivedTexts: derived.filter((row) => row.keeper !== undefined),
    provenanceOf(turnId) {
      const stored = provenance.get(turnId);
      return running.get(turnId) ?? (stored && { ...stored, pieces: stored.pieces.map((piece) => withNotes(piece, (id) => lineOf(id, stored.at))) });
    },
    isOfModel: (turnId) => seen.modelTurnIds.has(turnId) || (running.get(turnId)?.pieces.length ?? 0) > 0,
    callOf: (callId) => calls.get(callId),
    messageOf: (messageId) => messages.get(messageId),
    async sourcesOf(given, before) {
      const texts = given.map(({ text }) => text);
      const [traced, carried] = await Promise.all([origins.trace(place, texts, before === undefined ? {} : { before }), origins.find(place, texts)]);
      const inField = (source: WhySource, at: number): WhySource => ({ ...source, ...(given[at]?.field === undefined ? {} : { field: given[at].field }) });
      const found = traced.flatMap((spans, at) => spans.map((span) => inField(show(sourceOf(texts[at] ?? '', span)), at)));
      const secrets = carried.spans.flatMap((spans, at) =>
        spans.flatMap(({ origin: { kind, ref, name } }) =>
          kind === 'secret' ? [inField({ kind, ref: name === undefined ? ref : `${name} from ${ref}` }, at)] : [],
        ),
      );
      return [...secrets, ...found.filter(({ kind }) => kind !== 'secret' || secrets.length === 0)];
    },
  };
}

const isNote = ({ kind }: PromptSource): boolean => kind === 'note';

function nameOf(kind: WhySource['kind'], ref: string, callId: string | undefined): string {
  if (kind === 'memory') return `the note ${ref}`;
  if (kind !== 'user') return ref;
  return callId === undefined ? 'your message' : 'your answer to a question';
}

/** Returns a sentence that names the plugin, the hook and the sources of a prompt part. */
export function madeBy({ plugin, hook, over, from = [], round }: Piece): string {
  const instead = over === undefined ? '' : `, in place of the section of ${over}`;
  const of = from.length === 0 ? '' : `, from ${[...new Set(from.map(({ kind, ref }) => `the ${kind} ${ref}`))].join(', ')}`;
  const since = round > 1 ? `, from request ${round} on` : '';
  return `The plugin ${plugin} added it at the hook ${hook}${instead}${of}${since}.`;
}

export function sourcesOfPiece({ from = [] }: Pick<Piece, 'from'>): WhySource[] {
  return from.map(({ kind, ref, why }) => {
    if (kind === 'note') return { kind: 'memory', ref: `the note ${ref}`, asks: { note: ref } };
    return { kind, ref: why === undefined ? ref : `${ref} (${why})`, ...(kind === 'file' ? { asks: { source: ref } } : {}) };
  });
}

/** Returns a sentence that names the sender of a message, a plugin or a person. */
export function sentBy({ origin, person, isOwners, isSteer }: Pick<SaidMessage, 'origin' | 'person' | 'isOwners' | 'isSteer'>): string {
  if (origin) return `The plugin ${origin.plugin} sent it on its own: ${origin.reason}`;
  if (isOwners) return isSteer ? /* t */ 'You sent it while the turn was running.' : /* t */ 'You sent it.';
  return `${person ?? 'Another person'} sent it${isSteer ? ' while the turn was running' : ''}.`;
}

/** Returns whether requests still contain a message or a call. */
export function readingOf({ removals }: KnownChat, id: string): Required<Pick<WhyAnswer, 'isRead' | 'left' | 'says'>> {
  const left = removals.get(id);
  if (!left) return { isRead: true, left: [], says: [] };
  return {
    ...{ isRead: false, left },
    says: [
      /* t */ 'A person removed it: the model no longer reads it. The journal still contains it.',
      ...(left.length === 0 ? [] : [`Data that the ${left.length === 1 ? 'plugin' : 'plugins'} ${left.join(', ')} derived from it could not be removed yet.`]),
    ],
  };
}
