// Implements the search for text origins, and stores the texts of recent chats in memory. Loaded on first use.
import { BoundedMap } from '#lib/values';
import type { Notes } from 'agent-harness/builtins/tools/memory';
import type { EventLog } from 'agent-harness/plugins/chats';
import type { Tools } from 'agent-harness/plugins/tools';
import { createChatTexts, type ChatTexts } from './chat-texts.ts';
import type { Origins, TextPlace } from './contract.ts';
import { createFind } from './find-origins.ts';
import { foldJournal } from './fold-journal.ts';
import { createSecretFiles } from './secret-files.ts';
import { traceTexts } from './trace-texts.ts';
import type { WaitingTexts } from './waiting-texts.ts';

export interface OriginsParts {
  readonly eventLog: Pick<EventLog, 'read'>;
  readonly tools: Pick<Tools, 'find'>;
  readonly waiting: WaitingTexts;
  /** The service of the memory plugin; omitted if there is none. */
  readonly notes: Pick<Notes, 'newest'> | undefined;
}

export interface OpenOrigins extends Pick<Origins, 'find' | 'trace'> {
  /** Called when a chat was reset or deleted: removes its texts. */
  forget(chatId: string): void;
}

/** Maximum number of chats whose texts are in memory; for other chats, the journal is read again. */
const mostChats = 6;
/** Number of newest notes that are searched. */
const mostNotes = 2_000;

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

  /** Adds notes with external content from all chats, because a prompt may have contained them without a call. */
  async function addNotes(place: TextPlace, texts: ChatTexts): Promise<void> {
    const all = (await notes?.newest(place, ['chat', 'workspace', 'global'], mostNotes)) ?? [];
    for (const { id, value, source, isForeign } of all) {
      if (source.kind === 'team') texts.add(value, { kind: 'teammate', ref: source.ref, isOutside: true });
      else if (source.kind === 'web' || isForeign) texts.add(value, { kind: 'memory', ref: id, isOutside: true });
    }
  }

  return {
    find: createFind({
      secretsOf: files.secretsOf,
      async textsOf(place) {
        const texts = await textsOf(place.chatId);
        await addNotes(place, texts);
        return texts;
      },
    }),
    async trace(place, texts, options) {
      const all = (await notes?.newest(place, ['chat', 'workspace', 'global'], mostNotes)) ?? [];
      return traceTexts({ events: eventLog.read(place.chatId), notes: all, tools }, texts, options);
    },
    forget: (chatId) => void chats.delete(chatId),
  };
}
