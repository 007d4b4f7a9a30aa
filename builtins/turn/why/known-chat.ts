// Loads everything known about a chat for a question, once per question.
import type { NotePlace, Notes } from 'agent-harness/builtins/tools/memory';
import type { Origins } from 'agent-harness/builtins/turn/origins';
import { oneLine } from 'agent-harness/lib/text';
import type { Chats, EventLog } from 'agent-harness/plugins/chats';
import type { Tools } from 'agent-harness/plugins/tools';
import type { Removals } from 'agent-harness/transcript';
import type { WhyAnswer, WhySource } from './contract.ts';
import type { DerivedNote, DerivedNotes, DerivedText } from './derived-notes.ts';
import type { StoredTexts } from './stored-texts.ts';
import type { ProvenanceStore } from './provenance-store.ts';
import { readChat, type Place, type SaidAnswer, type SaidMessage, type SeenCall, type SeenChat } from './read-chat.ts';
import { sourceOf } from './note-origins.ts';
import type { Piece, TurnProvenance } from './turn-provenance.ts';

export interface WhyParts {
  readonly chats: Pick<Chats, 'peek'>;
  readonly eventLog: Pick<EventLog, 'flushed' | 'read' | 'removed'>;
  readonly origins: Pick<Origins, 'trace' | 'find'>;
  readonly tools: Pick<Tools, 'find'>;
  /** Left out without a memory. */
  readonly notes: Pick<Notes, 'peek' | 'newest'> | undefined;
  readonly store: ProvenanceStore;
  readonly derived: DerivedNotes;
  readonly keepers: Pick<StoredTexts, 'get'>;
  /** By turn id: running turns, or those whose provenance is not written yet. */
  openProvenance(): ReadonlyMap<string, TurnProvenance>;
  isThere(chatId: string): Promise<boolean>;
  notFound(what: string): Error;
}

export interface KnownChat extends SeenChat {
  readonly place: NotePlace;
  readonly parts: WhyParts;
  readonly derivedNotes: readonly DerivedNote[];
  readonly derivedTexts: readonly DerivedText[];
  readonly removals: Removals;
  provenanceOf(turnId: string): TurnProvenance | undefined;
  /** It had a model request; false if a command answered. */
  isOfModel(turnId: string): boolean;
  callOf(callId: string): SeenCall | undefined;
  messageOf(messageId: string): SaidMessage | SaidAnswer | undefined;
  /** Returns the sources of texts, each with a display name. */
  sourcesOf(texts: readonly { readonly text: string; readonly field?: string }[], before?: Place): Promise<WhySource[]>;
}

export async function openChat(parts: WhyParts, asked: string): Promise<KnownChat> {
  const { chatId, workspaceRoot } = await parts.chats.peek(asked);
  const place = { chatId, workspaceRoot };
  // A chat has no journal before its first message.
  if (await parts.isThere(chatId)) await parts.eventLog.flushed(chatId);
  // Read first: a turn that is not included is in the file by then.
  const running = parts.openProvenance();
  const [seen, provenance, derived, removals] = await Promise.all([
    readChat(parts.eventLog.read(chatId)),
    parts.store.read(chatId),
    parts.derived.all(),
    parts.eventLog.removed(chatId),
  ]);
  const calls = new Map(seen.entries.flatMap((entry) => (entry.kind === 'call' ? [[entry.callId, entry] as const] : [])));
  const messages = new Map(seen.entries.flatMap((entry) => (entry.kind === 'call' ? [] : [[entry.messageId, entry] as const])));

  function readable(source: WhySource, own: { readonly callId?: string }): WhySource {
    const message = source.kind === 'user' ? messages.get(source.ref) : undefined;
    if (message) return { ...source, ref: `your message “${oneLine(message.text, 60)}”`, asks: { message: source.ref } };
    if (source.kind === 'memory') return { ...source, ref: `the note ${source.ref}`, asks: { note: source.ref } };
    if (own.callId !== undefined && calls.has(own.callId)) return { ...source, asks: { call: own.callId } };
    return source.kind === 'user' ? { ...source, ref: 'your answer to a question' } : { ...source, asks: { source: source.ref } };
  }

  return {
    ...seen,
    ...{ place, parts, removals },
    derivedNotes: derived.filter((row) => row.keeper === undefined),
    derivedTexts: derived.filter((row) => row.keeper !== undefined),
    provenanceOf: (turnId) => running.get(turnId) ?? provenance.get(turnId),
    isOfModel: (turnId) => seen.modelTurnIds.has(turnId) || (running.get(turnId)?.pieces.length ?? 0) > 0,
    callOf: (callId) => calls.get(callId),
    messageOf: (messageId) => messages.get(messageId),
    async sourcesOf(texts, before) {
      const traced = await parts.origins.trace(
        place,
        texts.map(({ text }) => text),
        before === undefined ? {} : { before },
      );
      const found = texts.flatMap(({ text, field }, at) =>
        (traced[at] ?? []).map((span): WhySource => {
          const { kind, ref, quote, callId } = sourceOf(text, span);
          const source = { kind, ref, ...(quote === undefined ? {} : { quote }), ...(field === undefined ? {} : { field }) };
          return readable(source, callId === undefined ? {} : { callId });
        }),
      );
      const carried = await parts.origins.find(
        place,
        texts.map(({ text }) => text),
      );
      const secrets = texts.flatMap(({ field }, at) =>
        (carried.spans[at] ?? []).flatMap(({ origin: { kind, ref, name } }): WhySource[] =>
          kind === 'secret' ? [{ kind, ref: name === undefined ? ref : `${name} from ${ref}`, ...(field === undefined ? {} : { field }) }] : [],
        ),
      );
      return [...secrets, ...found.filter(({ kind }) => kind !== 'secret' || secrets.length === 0)];
    },
  };
}

/** Describes author, place and sources, as a sentence. */
export function madeBy({ plugin, hook, over, from = [], round }: Piece): string {
  const instead = over === undefined ? '' : `, in place of what ${over} had there`;
  const of = from.length === 0 ? '' : `, from ${[...new Set(from.map(({ kind, ref }) => `the ${kind} ${ref}`))].join(', ')}`;
  const since = round > 1 ? `, from request ${round} on` : '';
  return `The plugin ${plugin} put it there at the hook ${hook}${instead}${of}${since}.`;
}

export function sourcesOfPiece({ from = [] }: Pick<Piece, 'from'>): WhySource[] {
  return from.map(({ kind, ref, why }) => {
    if (kind === 'note') return { kind: 'memory', ref: `the note ${ref}`, asks: { note: ref } };
    return { kind, ref: why === undefined ? ref : `${ref} (${why})`, ...(kind === 'file' ? { asks: { source: ref } } : {}) };
  });
}

/** Describes the sender of a message: a plugin or a person. */
export function sentBy({ origin, person, isOwners, isSteer }: Pick<SaidMessage, 'origin' | 'person' | 'isOwners' | 'isSteer'>): string {
  if (origin) return `The plugin ${origin.plugin} said it by itself: ${origin.reason}`;
  if (isOwners) return isSteer ? /* t */ 'You sent it, while the turn ran.' : /* t */ 'You sent it.';
  return `${person ?? 'Somebody else'} sent it${isSteer ? ', while the turn ran' : ''}.`;
}

/** For an answer about a message or a call. */
export function readingOf({ removals }: KnownChat, id: string): Required<Pick<WhyAnswer, 'isRead' | 'left' | 'says'>> {
  const left = removals.get(id);
  if (!left) return { isRead: true, left: [], says: [] };
  return {
    ...{ isRead: false, left },
    says: [
      /* t */ 'A person took it out: the model does not read it any more. The journal keeps it.',
      ...(left.length === 0 ? [] : [`What ${byPlugins(left)} made of it could not be removed yet.`]),
    ],
  };
}

/** `the plugin dream`, `the plugins dream, heartbeat`. */
export function byPlugins(names: readonly string[]): string {
  return `the ${names.length === 1 ? 'plugin' : 'plugins'} ${names.join(', ')}`;
}
