// Runs the turns of the per-chat queues: starts a turn, starts the next one after its end, and emits the start and end of turns that never ran.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type { TurnEnd } from 'agent-harness/plugins/agent';
import type { Conversation } from 'agent-harness/transcript';
import { BoundedMap } from '#lib/values';
import type { Conversations } from './conversations.ts';
import type { Lane, RunningTurn } from './lanes.ts';
import { createLiveTurn, createSay, type LiveTurn, type TurnStart } from './live-turn.ts';
import type { manifest } from './manifest.ts';
import type { Markers } from './markers.ts';
import { observePorts } from './observe-turn.ts';
import { runTurn, type LoopDeps } from './turn-loop.ts';

export interface TurnRunnerParts {
  readonly registry: Registry<typeof manifest>;
  readonly emitter: Emitter;
  readonly conversations: Pick<Conversations, 'hold'>;
  readonly markers: Markers;
  readonly loop: LoopDeps;
}

export interface TurnRunner {
  /** ISO 8601; omitted before the first turn has ended. */
  readonly lastTurnEndedAt: string | undefined;
  /** The most recently finished turns, by id. */
  readonly ended: { get(turnId: string): TurnEnd | undefined };
  /** Starts a turn. The queue must not run another one. */
  start(chatQueue: Lane, start: TurnStart, conversation: Conversation): void;
  /** Aborts the turn of the queue and ends the turns that wait behind it. */
  stop(chatQueue: Lane, why: 'ABORTED' | 'SERVER_ENDING'): Promise<void>;
}

/** Number of finished turns in memory for {@link TurnRunner.ended}. */
const endedLimit = 200;
const nothingUsed = { durationMs: 0, rounds: 0, tools: 0, usage: { input: 0, output: 0, cached: 0 } };

export function createTurnRunner({ registry, emitter, conversations, markers, loop }: TurnRunnerParts): TurnRunner {
  const { services } = registry;
  const ended = new BoundedMap<string, TurnEnd>(endedLimit);
  let lastTurnEndedAt: string | undefined;

  function startTurn(chatQueue: Lane, start: TurnStart, conversation: Conversation): void {
    const abort = new AbortController();
    conversations.hold(start.chatId, conversation);
    const turn = createLiveTurn(start, conversation, abort.signal, emitter, loop.clock.now());
    const observed: LoopDeps = { ...loop, ...observePorts(turn, loop, emitter, registry.log) };
    const limit = registry.config.turnTimeoutMs;
    const timer = limit > 0 ? setTimeout(() => abort.abort(registry.error('TURN_TIMEOUT', { ms: limit })), limit) : undefined;
    // Deferred to a microtask, so that the queue is marked as busy before the turn is announced.
    const done = Promise.resolve()
      .then(() => runTurn(turn, observed))
      .then((end) => {
        clearTimeout(timer);
        return finishTurn(chatQueue, turn, end);
      });
    chatQueue.running = { turn, loop: observed, abort, done };
    done.catch((fault: unknown) => registry.log.error(`turn ${start.turnId} could not be finished: ${String(fault)}`));
  }

  async function finishTurn(chatQueue: Lane, turn: LiveTurn, end: TurnEnd): Promise<TurnEnd> {
    const { chatId } = chatQueue;
    const now = new Date().toISOString();
    chatQueue.running = undefined;
    chatQueue.idleSince = lastTurnEndedAt = now;
    turn.say('turn_end', end);
    ended.set(end.turnId, end);
    // Emitted before the next turn starts, because readers would otherwise attribute these ends to that turn.
    for (const start of chatQueue.unqueued.splice(0)) endUnstarted(start, turn.conversation, { reason: 'aborted', isUnqueued: true });
    const next = chatQueue.queue.shift();
    if (next) startTurn(chatQueue, next, turn.conversation);
    try {
      await services.eventLog.flushed(chatId);
      // Cleared only after the flush, because a power failure could preserve the cleared marker but lose the end of the turn.
      if (!chatQueue.running && !chatQueue.isAccepting) markers.clear(chatId);
    } catch (fault) {
      registry.log.error(`the end of turn ${end.turnId} could not be written: ${String(fault)}`);
    }
    emitter.call('turn.after', [turn, end]).catch((fault: unknown) => registry.log.warn(`after turn ${end.turnId}: ${String(fault)}`));
    return end;
  }

  /** Emits the start and end of a turn that never ran, because every accepted message has a turn. */
  function endUnstarted({ chatId, turnId, messageId }: TurnStart, conversation: Conversation, how: Pick<TurnEnd, 'reason' | 'isUnqueued'>): void {
    const end: TurnEnd = { chatId, turnId, ...how, ...nothingUsed };
    const say = createSay(conversation, emitter);
    say('turn_start', { chatId, turnId, messageId, model: services.models.route().model });
    say('turn_end', end);
    ended.set(end.turnId, end);
  }

  async function stop(chatQueue: Lane, why: 'ABORTED' | 'SERVER_ENDING'): Promise<void> {
    const { running } = chatQueue;
    // Messages wait only behind a running turn.
    if (!running) return;
    const dropped = chatQueue.queue.splice(0);
    await abortTurn(running, registry.error(why));
    for (const start of dropped) endUnstarted(start, running.turn.conversation, { reason: 'interrupted' });
  }

  return {
    get lastTurnEndedAt() {
      return lastTurnEndedAt;
    },
    ended,
    start: startTurn,
    stop,
  };
}

/** Aborts a turn. Resolves after its end with the calls and waits that were aborted. */
export async function abortTurn({ turn, abort, done }: RunningTurn, why: Error): Promise<{ turnId: string; stopped: string[] }> {
  const waits = turn.waits.map((wait) => wait.waitingFor).filter((waitingFor) => waitingFor !== 'tool');
  const stopped = [...new Set([...turn.running, ...waits])];
  abort.abort(why);
  await done;
  return { turnId: turn.turnId, stopped };
}
