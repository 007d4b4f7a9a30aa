// Finds again in one text what stood elsewhere: loaded when somebody asks for the first time.
import { BoundedMap } from 'agent-harness/lib/values';
import type { Notes } from 'agent-harness/builtins/tools/memory';
import type { EventLog } from 'agent-harness/plugins/chats';
import type { Tools } from 'agent-harness/plugins/tools';
import { createChatTexts, type ChatTexts } from './chat-texts.ts';
import type { OriginSpan, Origins, TextOrigin, TextPlace } from './contract.ts';
import { foldJournal } from './fold-journal.ts';
import { readingsOf, type Reading } from './readings.ts';
import { createSecretFiles } from './secret-files.ts';
import { secretsBehind } from './named-file.ts';
import { findInPieces, findWhole } from './secret-match.ts';
import type { Secret } from './secret-values.ts';
import { squeeze, squeezeWithPlaces } from 'agent-harness/lib/squeeze';
import { shortestMatch } from './text-index.ts';
import { traceTexts } from './trace-texts.ts';
import type { WaitingTexts } from './waiting-texts.ts';

export interface OriginsParts {
  readonly eventLog: Pick<EventLog, 'read'>;
  readonly tools: Pick<Tools, 'find'>;
  readonly waiting: WaitingTexts;
  /** Left out where nothing is remembered. */
  readonly notes: Pick<Notes, 'newest'> | undefined;
}

export interface OpenOrigins extends Pick<Origins, 'find' | 'findPieces' | 'trace'> {
  /** The conversation begins anew, or the chat is gone. */
  forget(chatId: string): void;
}

/** Chats whose texts stay in memory; another one is folded again. */
const mostChats = 6;
/** Of a text that is asked about. */
const mostSigns = 64_000;
const mostSpans = 20;
/** The newest. */
const mostNotes = 500;

export function createOpenOrigins({ eventLog, tools, waiting, notes }: OriginsParts): OpenOrigins {
  const chats = new BoundedMap<string, Promise<ChatTexts>>(mostChats);
  const files = createSecretFiles();

  async function fold(chatId: string): Promise<ChatTexts> {
    const texts = createChatTexts();
    await foldJournal(eventLog.read(chatId), texts, tools);
    return texts;
  }

  async function textsOf(chatId: string): Promise<ChatTexts> {
    const { texts, isWhole } = waiting.take(chatId);
    const known = isWhole ? chats.get(chatId) : undefined;
    const opening = known ?? fold(chatId);
    chats.set(chatId, opening);
    try {
      const open = await opening;
      for (const { text, origin } of texts) open.add(text, origin);
      return open;
    } catch (fault) {
      chats.delete(chatId);
      for (const { text, origin } of texts) waiting.note(chatId, text, origin);
      throw fault;
    }
  }

  /** Those that rest on other people's words, wherever they were made: a prompt may have shown them without a call. */
  async function addNotes(place: TextPlace, texts: ChatTexts): Promise<void> {
    const all = (await notes?.newest(place, ['chat', 'workspace', 'global'], mostNotes)) ?? [];
    for (const { id, value, source, isForeign } of all) {
      if (source.kind === 'team') texts.add(value, { kind: 'teammate', ref: source.ref, isOutside: true });
      else if (source.kind === 'web' || isForeign) texts.add(value, { kind: 'memory', ref: id, isOutside: true });
    }
  }

  /** What nobody typed. */
  async function secretsOf({ workspaceRoot }: TextPlace, texts: ChatTexts): Promise<Secret[]> {
    const all = [...(await files.secretsOf(workspaceRoot)), ...texts.secrets()];
    const newest = new Map(all.map((secret) => [secret.value, secret]).reverse() as [string, Secret][]);
    return [...newest.values()].filter(({ squeezed }) => !texts.isTyped(squeezed));
  }

  return {
    async find(place, all, { namesFiles = false } = {}) {
      const text = all.slice(0, mostSigns);
      if (text === '') return [];
      const texts = await textsOf(place.chatId);
      await addNotes(place, texts);
      const readings = readingsOf(text);
      const secrets = await secretsOf(place, texts);
      const whole = findWhole(secrets, readings).map((found) => spanOfSecret(text, found.secret, found.through));
      const behind = namesFiles ? await secretsBehind(text, place.workspaceRoot, secrets) : [];
      const others = readings.flatMap((reading) => spansOf(text, reading, texts)).filter(({ origin }) => origin.kind !== 'secret' || whole.length === 0);
      return [...whole, ...behind, ...others].slice(0, mostSpans);
    },
    async findPieces(place, all) {
      const texts = await textsOf(place.chatId);
      const secrets = await secretsOf(place, texts);
      if (secrets.length === 0) return [];
      return findInPieces(secrets, all).map(originOfSecret);
    },
    async trace(place, texts, options) {
      const all = (await notes?.newest(place, ['chat', 'workspace', 'global'], mostNotes)) ?? [];
      return traceTexts({ events: eventLog.read(place.chatId), notes: all, tools }, texts, options);
    },
    forget: (chatId) => void chats.delete(chatId),
  };
}

function spanOfSecret(text: string, secret: Secret, through: string | undefined): OriginSpan {
  const at = text.indexOf(secret.value);
  const [start, end] = at === -1 ? [0, text.length] : [at, at + secret.value.length];
  return { start, end, origin: originOfSecret(secret), ...(through === undefined ? {} : { through }) };
}

function originOfSecret({ ref, name }: Secret): TextOrigin {
  return { kind: 'secret', ref, ...(name === undefined ? {} : { name }) };
}

/** Parts that stand in what others wrote, or else in the owner's own files. */
function spansOf(original: string, { text, through }: Reading, texts: ChatTexts): OriginSpan[] {
  const squeezed = through === undefined ? squeezeWithPlaces(text) : { text: squeeze(text), places: [] };
  if (squeezed.text.length < shortestMatch) return [];
  const isForeign = (match: { readonly start: number; readonly end: number }): boolean => !texts.isTyped(squeezed.text.slice(match.start, match.end));
  const outside = texts.outside.find(squeezed.text).filter(isForeign);
  const found = outside.length > 0 ? outside : texts.own.find(squeezed.text).filter(isForeign);
  const isWhole = found.length > 0 && through === undefined && (texts.outside.has(squeezed.text) || texts.own.has(squeezed.text));
  return found.map(({ start, end, source }) => ({
    start: through === undefined ? (squeezed.places[start] ?? 0) : 0,
    end: through === undefined ? (squeezed.places[end - 1] ?? original.length - 1) + 1 : original.length,
    origin: source,
    ...(through === undefined ? {} : { through }),
    ...(isWhole ? { isWhole } : {}),
  }));
}
