// The service `turns`: takes messages, starts and aborts turns, and always knows what a busy chat waits for.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type { ChatStatus, SubmitMessage, SubmitReply, TurnEnd, Turns } from 'agent-harness/plugins/agent';
import { attachmentLimits, decodeAttachments, saveAttachments } from './attachments.ts';
import { userMessage, type Conversation } from './conversation.ts';
import type { Conversations } from './conversations.ts';
import type { manifest } from './index.ts';
import { createLiveTurn, type LiveTurn, type TurnStart } from './live-turn.ts';
import { createMarkers, type Markers } from './markers.ts';
import { runTurn, type LoopDeps } from './turn-loop.ts';

/** One chat's turns in this process. */
interface Lane {
  running?: { readonly turn: LiveTurn; readonly abort: AbortController; readonly done: Promise<TurnEnd> } | undefined;
  readonly queue: TurnStart[];
  /** Messages are taken one at a time, so that two clients cannot both start a turn. */
  intake: Promise<unknown>;
  idleSince: string;
}

export interface OwnedTurns extends Turns {
  readonly markers: Markers;
  /** Forgets the conversation; the transcript keeps it. Rejects while busy. */
  reset(chatId: string, mode: 'soft' | 'hard'): Promise<void>;
  /** A chat goes away: aborts its turn and drops its queue. */
  forget(chatId: string): Promise<void>;
  /** Aborts everything. */
  close(): Promise<void>;
}

/** Said in the user's place so that the agent speaks first; it names no chat. */
export const greeting = 'Hello!';
/** How many ended turns are remembered for {@link Turns.ended}. */
const endedLimit = 200;

export function createTurns(registry: Registry<typeof manifest>, emitter: Emitter, conversations: Conversations): OwnedTurns {
  const { services } = registry;
  const { chats, eventLog, storage } = services;
  const lanes = new Map<string, Lane>();
  const ended = new Map<string, TurnEnd>();
  const markers = createMarkers(services.product.home);
  let lastTurnEndedAt: string | undefined;

  const loop: LoopDeps = {
    emitter,
    eventLog,
    storage,
    models: services.models,
    tools: services.tools,
    title: services.product.title,
    config: registry.config,
    unexpected(turnId, fault) {
      registry.log.error(`turn ${turnId} failed`, { stack: fault instanceof Error ? fault.stack : String(fault) });
      return registry.error('UNEXPECTED', { why: fault instanceof Error ? fault.message : String(fault) }, fault);
    },
  };

  function laneOf(chatId: string): Lane {
    let lane = lanes.get(chatId);
    if (!lane) lanes.set(chatId, (lane = { queue: [], intake: Promise.resolve(), idleSince: new Date().toISOString() }));
    return lane;
  }

  async function accept(chatId: string, workspaceRoot: string, lane: Lane, message: SubmitMessage): Promise<SubmitReply> {
    const conversation = await conversations.open(chatId);
    const known = message.clientId === undefined ? undefined : conversation.replies.get(message.clientId);
    if (known) return { ...known, chatId };
    const whenBusy = message.whenBusy ?? 'reject';
    if (lane.running && whenBusy === 'reject') throw registry.error('TURN_IN_PROGRESS', { chatId, turnId: lane.running.turn.turnId });

    const attachments = await saveAttachments(chats.folder(chatId), decodeAttachments(message.attachments ?? [], registry.error), storage);
    const steered = lane.running && whenBusy === 'steer' ? lane.running.turn : undefined;
    const turnId = steered?.turnId ?? storage.createId('turn');
    const messageId = storage.createId('msg');
    const { text, clientId } = message;
    if (!steered) markers.set(chatId);
    emitter.emit('message_accepted', {
      chatId,
      turnId,
      messageId,
      text,
      attachments,
      ...(clientId === undefined ? {} : { clientId }),
      ...(steered ? { isSteer: true } : {}),
    });
    await eventLog.flushed(chatId);

    const heard = userMessage(text, attachments, await conversations.images(chatId, attachments));
    const queued = lane.running !== undefined && !steered;
    if (clientId !== undefined) conversation.replies.set(clientId, { turnId, messageId, queued });
    if (!steered) countTurn(chatId, text);
    if (steered && lane.running?.turn === steered) steered.steers.push(heard);
    else {
      const start: TurnStart = { turnId, chatId, messageId, text, heard, workspaceRoot };
      if (lane.running) lane.queue.push(start);
      else startTurn(lane, start, conversation);
    }
    return { turnId, messageId, chatId, queued };
  }

  /** Beside the turn: a list of chats that is a moment late hurts nobody. */
  function countTurn(chatId: string, text: string): void {
    chats
      .get(chatId)
      .then(({ turns }) => chats.touch(chatId, { turns: turns + 1, title: text === greeting ? '' : (text.split('\n', 1)[0] ?? '') }))
      .catch((fault: unknown) => registry.log.warn(`could not count the turn of ${chatId}: ${String(fault)}`));
  }

  function startTurn(lane: Lane, start: TurnStart, conversation: Conversation): void {
    const abort = new AbortController();
    conversation.messages.push(start.heard);
    const turn = createLiveTurn(start, conversation, abort.signal);
    const limit = registry.config.turnTimeoutMs;
    const timer = limit > 0 ? setTimeout(() => abort.abort(registry.error('TURN_TIMEOUT', { ms: limit })), limit) : undefined;
    const done = runTurn(turn, loop).then(async (end) => {
      clearTimeout(timer);
      await finishTurn(lane, turn, end);
      return end;
    });
    lane.running = { turn, abort, done };
    done.catch((fault: unknown) => registry.log.error(`turn ${start.turnId} could not be finished: ${String(fault)}`));
  }

  async function finishTurn(lane: Lane, turn: LiveTurn, end: TurnEnd): Promise<void> {
    const { chatId, turnId } = turn;
    lane.running = undefined;
    lastTurnEndedAt = lane.idleSince = new Date().toISOString();
    // A steer that came too late for its turn is answered in the next one.
    turn.conversation.messages.push(...turn.steers.splice(0));
    emitter.emit('turn_end', end);
    ended.set(turnId, end);
    for (const oldest of ended.keys()) {
      if (ended.size <= endedLimit) break;
      ended.delete(oldest);
    }
    const next = lane.queue.shift();
    if (next) startTurn(lane, next, turn.conversation);
    else markers.clear(chatId);
    await eventLog.flushed(chatId);
    await emitter.call('turn.after', turn, end);
  }

  async function abortLane(lane: Lane): Promise<{ turnId: string; stopped: string[] } | undefined> {
    const { running } = lane;
    if (!running) return undefined;
    const waits = running.turn.waits.map((wait) => wait.waitingFor).filter((waitingFor) => waitingFor !== 'tool');
    const stopped = [...new Set([...running.turn.running, ...waits])];
    running.abort.abort(registry.error('ABORTED'));
    await running.done.catch(() => undefined);
    return { turnId: running.turn.turnId, stopped };
  }

  function statusOf(chatId: string): ChatStatus {
    const lane = lanes.get(chatId);
    if (!lane) return { chatId, busy: false };
    const { running } = lane;
    if (!running) return { chatId, busy: false, since: lane.idleSince };
    const [wait] = running.turn.waits;
    const since = wait?.since ?? new Date(running.turn.startedAt).toISOString();
    return { chatId, busy: true, turnId: running.turn.turnId, waitingFor: wait?.waitingFor ?? 'model', since };
  }

  async function resetNow(chatId: string, lane: Lane, mode: 'soft' | 'hard'): Promise<void> {
    if (lane.running) throw registry.error('TURN_IN_PROGRESS', { chatId });
    emitter.emit('conversation_reset', { chatId, mode });
    conversations.drop(chatId);
    await eventLog.flushed(chatId);
    await emitter.call('session.reset', { chatId, mode });
  }

  async function stopLane(lane: Lane): Promise<void> {
    const dropped = lane.queue.splice(0);
    await abortLane(lane);
    for (const start of dropped) endUnstarted(start);
  }

  /** A message that was accepted gets its turn, even if that is over at once. */
  function endUnstarted({ chatId, turnId, messageId }: TurnStart): void {
    emitter.emit('turn_start', { chatId, turnId, messageId, model: services.models.route().model });
    emitter.emit('turn_end', { chatId, turnId, reason: 'interrupted', durationMs: 0, rounds: 0, tools: 0, usage: { input: 0, output: 0, cached: 0 } });
  }

  return {
    markers,
    get lastTurnEndedAt() {
      return lastTurnEndedAt;
    },
    async submit(message) {
      if (Buffer.byteLength(message.text) > attachmentLimits.text) throw registry.error('TOO_LARGE', { what: 'The text', limit: attachmentLimits.text });
      if (message.text.trim() === '' && (message.attachments ?? []).length === 0)
        throw registry.error('INVALID_REQUEST', { why: 'A message needs a text or an attachment.' });
      const { chatId, workspaceRoot } = await chats.get(message.chatId);
      const lane = laneOf(chatId);
      const work = lane.intake.then(() => accept(chatId, workspaceRoot, lane, message));
      lane.intake = work.catch(() => undefined);
      return work;
    },
    async abort(given) {
      const { chatId } = await chats.get(given);
      const stopped = await abortLane(laneOf(chatId));
      if (!stopped) throw registry.error('NO_TURN', { chatId });
      return stopped;
    },
    status: statusOf,
    statuses: () => [...lanes.keys()].map(statusOf),
    isBusy: (chatId) => (chatId === undefined ? [...lanes.values()].some((lane) => lane.running) : lanes.get(chatId)?.running !== undefined),
    waiting: (chatId, waitingFor) => lanes.get(chatId)?.running?.turn.waiting(waitingFor) ?? (() => undefined),
    async ended(turnId) {
      const running = [...lanes.values()].find((lane) => lane.running?.turn.turnId === turnId)?.running;
      return running ? running.done : ended.get(turnId);
    },
    async reset(chatId, mode) {
      const lane = laneOf(chatId);
      const work = lane.intake.then(() => resetNow(chatId, lane, mode));
      lane.intake = work.catch(() => undefined);
      return work;
    },
    async forget(chatId) {
      const lane = lanes.get(chatId);
      if (lane) await stopLane(lane);
      lanes.delete(chatId);
      conversations.drop(chatId);
      markers.clear(chatId);
    },
    async close() {
      await Promise.all([...lanes.values()].map(stopLane));
    },
  };
}
