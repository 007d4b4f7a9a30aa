// Manages the queues of chats. Each queue runs one turn, holds later messages in order, and serializes all changes.
import { createSerialQueues } from '#lib/async';
import type { ChatStatus, TurnEnd } from 'agent-harness/plugins/agent';
import type { LiveTurn, TurnStart } from './live-turn.ts';
import type { LoopDeps } from './turn-loop.ts';

export interface RunningTurn {
  readonly turn: LiveTurn;
  readonly loop: LoopDeps;
  readonly abort: AbortController;
  /** Contract: never rejects. Resolves when `turn_end` is on disk. */
  readonly done: Promise<TurnEnd>;
}

export interface Lane {
  readonly chatId: string;
  running?: RunningTurn | undefined;
  readonly queue: TurnStart[];
  /** Messages queued behind a turn that is being aborted; they end with that turn, without reaching the model. */
  readonly unqueued: TurnStart[];
  /** Whether a message is being written to the journal and its turn has not started yet. */
  isAccepting: boolean;
  /** ISO 8601; omitted before the first turn of this process. */
  idleSince?: string;
}

export interface Lanes {
  of(chatId: string): Lane;
  find(chatId: string): Lane | undefined;
  all(): Lane[];
  forget(chatId: string): void;
  /** Runs work exclusively per chat, so that two clients cannot both start a turn and no reset can happen while a message is accepted. */
  exclusive<T>(lane: Lane, work: () => Promise<T>): Promise<T>;
  status(chatId: string): ChatStatus;
}

export function createLanes(): Lanes {
  const chatQueues = new Map<string, Lane>();
  const queues = createSerialQueues<Lane>();
  const startedAt = new Date().toISOString();

  return {
    of(chatId) {
      let chatQueue = chatQueues.get(chatId);
      if (!chatQueue) chatQueues.set(chatId, (chatQueue = { chatId, queue: [], unqueued: [], isAccepting: false }));
      return chatQueue;
    },
    find: (chatId) => chatQueues.get(chatId),
    all: () => [...chatQueues.values()],
    forget: (chatId) => void chatQueues.delete(chatId),
    exclusive: queues.run,
    status(chatId) {
      const chatQueue = chatQueues.get(chatId);
      const turn = chatQueue?.running?.turn;
      if (!turn) return { chatId, busy: false, since: chatQueue?.idleSince ?? startedAt };
      const [wait] = turn.waits;
      const since = wait?.since ?? new Date(turn.startedAt).toISOString();
      return { chatId, busy: true, turnId: turn.turnId, waitingFor: wait?.waitingFor ?? 'model', since };
    },
  };
}

/** Removes a message from the queue. Returns whether the queue contained it. */
export function unqueue(chatQueue: Lane, turnId: string): boolean {
  const at = chatQueue.queue.findIndex((start) => start.turnId === turnId);
  if (at === -1) return false;
  chatQueue.unqueued.push(...chatQueue.queue.splice(at, 1));
  return true;
}
