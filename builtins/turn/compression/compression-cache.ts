// Stores the compression state of recent conversations in memory.
import { BoundedMap } from '#lib/values';
import type { Turn } from 'agent-harness/plugins/agent';
import type { ModelMessage } from 'agent-harness/plugins/models';
import type { Digest } from './lay-out.ts';
import type { Head } from './head-file.ts';
import type { FixedChars } from './measure.ts';

export interface Slot {
  readonly chatId: string;
  /** Whether the state is stored on disk; false for the conversation of a sub-agent. */
  readonly isKept: boolean;
  head: Head | undefined;
  /** Whether the state was loaded from disk. */
  isLoaded: boolean;
  /** Whether the user requested the compression. */
  isForced: boolean;
  /** Number of tokens at the last attempt; the next attempt requires enough growth. */
  triedAt: number;
  /** Number of context notices that were emitted. */
  noticed: number;
  /** Lengths of the last request by part; `undefined` before the first request. */
  fixed: FixedChars | undefined;
  /** Ratio of the provider's token count to the estimate. */
  ratio: number;
  /** Length of the last request in UTF-16 code units. */
  sentChars: number;
  /** Tokens of the last request and its reply together. */
  askedTokens: number;
  /** The digest that a model is writing while turns continue. */
  job: { digest: Digest | undefined; isOver: boolean } | undefined;
  /** Aborts the running work on this state. */
  readonly ending: AbortController;
}

export interface Slots {
  of(turn: Pick<Turn, 'chatId' | 'turnId' | 'isRoot' | 'task'>): Slot;
  find(id: string | undefined): Slot | undefined;
  drop(id: string): void;
  clear(): void;
}

const limit = 256;

/** Creates the store: one state per chat, and one per task for the conversations of sub-agents. */
export function createCompressionCache(): Slots {
  const end = (slot?: Slot): void => slot?.ending.abort(new Error('the conversation is gone'));
  const slots = new BoundedMap<string, Slot>(limit, end);

  function drop(id: string): void {
    end(slots.get(id));
    slots.delete(id);
  }

  return {
    of({ chatId, turnId, isRoot, task }) {
      const id = isRoot ? chatId : (task?.taskId ?? turnId);
      const slot = slots.get(id) ?? createSlot(chatId, isRoot, slots.get(chatId)?.ratio ?? 1);
      slots.set(id, slot);
      return slot;
    },
    find: (id) => (id === undefined ? undefined : slots.get(id)),
    drop,
    clear: () => [...slots.keys()].forEach(drop),
  };
}

function createSlot(chatId: string, isKept: boolean, ratio: number): Slot {
  return {
    ...{
      chatId,
      isKept,
      head: undefined,
      isLoaded: false,
      isForced: false,
      triedAt: 0,
      noticed: 0,
      fixed: undefined,
      ratio,
      sentChars: 0,
      askedTokens: 0,
      job: undefined,
    },
    ending: new AbortController(),
  };
}

/** Returns the messages of a conversation as they are sent. */
export function shownOf({ head }: Slot, messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return head ? [...head.messages, ...messages.slice(head.cut)] : messages;
}
