// Takes a message or a call out of a conversation, and has everybody drop what they made of it; or puts it back.
import type { Summaries } from 'agent-harness/builtins/turn/compression';
import { messageOf } from 'agent-harness/lib/errors';
import { oneLine } from 'agent-harness/lib/text';
import type { TakenOutEntry } from 'agent-harness/plugins/agent';
import type { Chats, EventLog, MarkedEntry } from 'agent-harness/plugins/chats';
import { readChat, type SeenChat } from './read-chat.ts';
import type { TakenOut, TakenThing } from './taken-out.ts';

export interface TakingOutParts {
  readonly chats: Pick<Chats, 'peek' | 'change'>;
  readonly eventLog: Pick<EventLog, 'flushed' | 'read'>;
  readonly takenOut: Pick<TakenOut, 'take' | 'putBack' | 'leave'>;
  /** Left out where nothing is summarised. */
  readonly summaries: Summaries | undefined;
  /** The hook `conversation.taken_out`. Resolves with what its taps could not drop. */
  tell(taken: TakenOutEntry): Promise<readonly Leftover[]>;
  /** The hook `entry.marked`. */
  marked(entry: MarkedEntry): Promise<void>;
}

/** What was made of it, and could not be dropped. */
export interface Leftover {
  readonly plugin: string;
  readonly why: string;
}

export interface TakingOut {
  /**
   * Resolves when it is on disk, and gone from what was made of it, but for what it answers. What is taken out already is only tried again.
   * @param id of a message or a call
   */
  take(chatId: string, id: string): Promise<readonly Leftover[]>;
  putBack(chatId: string, id: string): Promise<void>;
}

const untitled = 'New chat';

export function createTakingOut({ chats, eventLog, takenOut, summaries, tell, marked }: TakingOutParts): TakingOut {
  return {
    async take(chatId, id) {
      await eventLog.flushed(chatId);
      const { entries } = await readChat(eventLog.read(chatId));
      const entry = entries.find((one) => (one.kind === 'call' ? one.callId : one.messageId) === id);
      await takenOut.take(chatId, thingOf(id, entry));
      await marked({ chatId, entryId: id });
      const left: Leftover[] = [];
      // One that fails keeps none of the others from dropping theirs.
      const attempt = async (plugin: string, work: () => Promise<unknown>): Promise<void> => {
        await work().catch((fault: unknown) => left.push({ plugin, why: messageOf(fault) }));
      };
      await attempt('compression', async () => summaries?.drop(chatId));
      await attempt('chats', async () => {
        if (entry?.kind === 'message' && isOf((await chats.peek(chatId)).title, entry.text)) await chats.change(chatId, { title: untitled });
      });
      const { turnId } = entry ?? {};
      left.push(...(await tell({ chatId, entryId: id, ...(turnId === undefined ? {} : { turnId }) })));
      if (left.length > 0) {
        const plugins = [...new Set(left.map(({ plugin }) => plugin))];
        await attempt('why', () => takenOut.leave(chatId, id, plugins));
      }
      return left;
    },
    async putBack(chatId, id) {
      await takenOut.putBack(chatId, id);
      await marked({ chatId, entryId: id });
      await summaries?.drop(chatId);
    },
  };
}

/** The conversation has a message by its words; what belongs to it can be read by its id. */
function thingOf(id: string, entry: SeenChat['entries'][number] | undefined): TakenThing {
  if (!entry) return { id };
  if (entry.kind === 'answer') return { id, text: entry.text };
  if (entry.kind === 'message') return { id, text: entry.text, ...(entry.files.length === 0 ? {} : { files: entry.files }) };
  const { artifactId } = entry.result ?? {};
  return { id, ...(artifactId === undefined ? {} : { files: [artifactId] }) };
}

/** A chat that nobody named has the beginning of its first message for a title. */
function isOf(title: string, text: string): boolean {
  const beginning = oneLine(title).replace(/…$/, '');
  return beginning !== '' && oneLine(text).startsWith(beginning);
}
