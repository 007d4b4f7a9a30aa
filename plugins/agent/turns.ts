// Implements the service `turns`: accepts messages, starts and aborts turns, and tracks the waits of busy chats.
import { lazy } from '#lib/async';
import type { Emitter, Registry } from 'agent-harness/kernel';
import { firstLine } from '#lib/text';
import type { Announcement, SubmitMessage, SubmitReply, Turns } from 'agent-harness/plugins/agent';
import { createAttachmentStore } from './attachment-store.ts';
import { attachmentLimits } from './attachments.ts';
import { isReadable, type Conversation } from 'agent-harness/transcript';
import type { Conversations } from './conversations.ts';
import { createLanes, unqueue, type Lane } from './lanes.ts';
import { createSay, type TurnStart } from './live-turn.ts';
import { createLoopDeps } from './loop-deps.ts';
import { createMarkers, type Markers } from './markers.ts';
import { endOpenTurns } from './open-turns.ts';
import { warmUp } from './warm-up.ts';
import { abortTurn, createTurnRunner } from './turn-runner.ts';
import { createRemovals, type ConversationRemovals } from './removals.ts';
import { stageTurn } from './staged-turn.ts';
import { runTask } from './task-turn.ts';
import type { manifest } from './manifest.ts';

export interface OwnedTurns extends Turns, Pick<ConversationRemovals, 'guard'> {
  readonly markers: Markers;
  /** Resets the conversation; its entries stay in the transcript. Rejects while the chat is busy. */
  reset(chatId: string, mode: 'soft' | 'hard'): Promise<void>;
  /** Handles a deleted chat: aborts its turn and ends its queue. */
  forget(chatId: string): Promise<void>;
  warmUp(): Promise<void>;
  /** Aborts all turns. */
  close(): Promise<void>;
}

export function createTurns(registry: Registry<typeof manifest>, emitter: Emitter, conversations: Conversations): OwnedTurns {
  const { services } = registry;
  const { chats, eventLog, storage } = services;
  const chatQueues = createLanes();
  const keepAttachments = createAttachmentStore(registry, emitter);
  const markers = createMarkers(services.product.home, services.storage.atOnce);
  const loop = createLoopDeps(registry, emitter);
  const runner = createTurnRunner({ registry, emitter, conversations, markers, loop });

  async function accept(chatQueue: Lane, message: SubmitMessage): Promise<SubmitReply> {
    const { chatId } = chatQueue;
    if (registry.signal.aborted) throw registry.error('ABORTED');
    // The chat may have been deleted while this message waited in the queue.
    const chat = await chats.get(chatId);
    const conversation = await openConversation(chatQueue);
    const known = message.clientId === undefined ? undefined : conversation.replies.get(message.clientId);
    if (known) return { ...known, chatId };
    const whenBusy = message.whenBusy ?? 'reject';
    if (chatQueue.running && whenBusy === 'reject') throw registry.error('TURN_IN_PROGRESS', { chatId, turnId: chatQueue.running.turn.turnId });

    const { text, clientId, principal, origin, liveDictation = false } = message;
    // Other people may have dictated a guest's text.
    const isUntrusted = message.isUntrusted ?? principal?.kind === 'guest';
    const from = { ...(principal ? { principal } : {}), ...(origin ? { origin } : {}) };
    const attachments = await keepAttachments(chatId, message.attachments ?? []);
    const attached = await conversations.bring(chatId, attachments);
    const messageId = storage.createId('msg');
    // No `await` between here and the steering, so the turn cannot end without the message.
    const steered = whenBusy === 'steer' && chatQueue.running?.turn.takesSteers ? chatQueue.running.turn : undefined;
    const turnId = steered?.turnId ?? storage.createId('turn');
    chatQueue.isAccepting = true;
    try {
      if (!steered) markers.set(chatId);
      const accepted = {
        ...{ chatId, turnId, messageId, text, attachments },
        ...(clientId === undefined ? {} : { clientId }),
        ...{ ...(steered ? { isSteer: true } : {}), ...(liveDictation ? { liveDictation } : {}) },
        ...from,
        ...(isUntrusted ? { untrusted: true } : {}),
      };
      createSay(conversation, emitter)('message_accepted', accepted, attached);
      if (steered && (isUntrusted || attachments.some(isReadable))) steered.isTainted = true;
      steered?.steers.push(messageId);
      const kept = lazy(() => eventLog.flushed(chatId));
      const start: TurnStart = { turnId, chatId, messageId, text, workspaceRoot: chat.workspaceRoot, kept, ...from };
      const isFirst = !steered && !chatQueue.running;
      if (isFirst) runner.start(chatQueue, { ...start, chat }, conversation);
      // Waits a microtask, so that the start of the turn is written and delivered together with the message.
      await Promise.resolve();
      await kept();

      const isQueued = !steered && !isFirst && chatQueue.running !== undefined;
      if (clientId !== undefined) conversation.replies.set(clientId, { turnId, messageId, queued: isQueued });
      if (!steered) countTurn(chatId, origin ? '' : text);
      if (isQueued) chatQueue.queue.push(start);
      else if (!steered && !isFirst) runner.start(chatQueue, start, conversation);
      return { turnId, messageId, chatId, queued: isQueued };
    } finally {
      chatQueue.isAccepting = false;
      if (!chatQueue.running) markers.clear(chatId);
    }
  }

  async function announceNow(chatQueue: Lane, { text, origin, channel = 'user', isForModel, isUntrusted, clientId }: Announcement): Promise<string> {
    const { chatId } = chatQueue;
    if (registry.signal.aborted) throw registry.error('ABORTED');
    await chats.get(chatId);
    const conversation = await openConversation(chatQueue);
    const known = clientId === undefined ? undefined : conversation.announced.get(clientId);
    const messageId = known ?? storage.createId('msg');
    if (known === undefined) {
      const marks = { ...(isForModel ? { isForModel } : {}), ...(isUntrusted ? { untrusted: true } : {}), ...(clientId === undefined ? {} : { clientId }) };
      const { plugin, reason } = origin;
      createSay(conversation, emitter)('announcement', { chatId, messageId, text, origin: { plugin, reason }, channel, ...marks });
    }
    await eventLog.flushed(chatId);
    return messageId;
  }

  function checkText(text: string): void {
    if (Buffer.byteLength(text) > attachmentLimits.text) throw registry.error('TOO_LARGE', { what: 'The text', limit: attachmentLimits.text });
  }

  /** Ends the open turns of the conversation: a power failure can lose the marker file that makes the next start check the chat. */
  async function openConversation({ chatId, running }: Lane): Promise<Conversation> {
    const conversation = await conversations.open(chatId);
    if (!running) endOpenTurns(chatId, conversation, services.models.route().model, emitter);
    return conversation;
  }

  /** Runs in the background, because a chat list that is briefly stale is harmless. */
  function countTurn(chatId: string, text: string): void {
    chats
      .get(chatId)
      .then(({ turns }) => chats.touch(chatId, { turns: turns + 1, title: firstLine(text) }))
      .catch((fault: unknown) => registry.log.warn(`could not update the turn count of ${chatId}: ${String(fault)}`));
  }

  async function resetNow(chatQueue: Lane, mode: 'soft' | 'hard'): Promise<void> {
    const { chatId } = chatQueue;
    if (chatQueue.running) throw registry.error('TURN_IN_PROGRESS', { chatId });
    createSay(await openConversation(chatQueue), emitter)('conversation_reset', { chatId, mode });
    await eventLog.flushed(chatId);
  }

  return {
    markers,
    get lastTurnEndedAt() {
      return runner.lastTurnEndedAt;
    },
    async submit(message) {
      checkText(message.text);
      if (message.text.trim() === '' && (message.attachments ?? []).length === 0)
        throw registry.error('INVALID_REQUEST', { why: 'The message is empty. Send a text or an attachment.' });
      const { chatId } = await chats.get(message.chatId);
      await emitter.call('message.before', [{ chatId }]);
      const refusal = await emitter.call('message.guard', [{ ...message, chatId }]);
      if (refusal) throw refusal;
      const chatQueue = chatQueues.of(chatId);
      return chatQueues.exclusive(chatQueue, () => accept(chatQueue, message));
    },
    async announce(announcement) {
      const { text, origin } = announcement;
      checkText(text);
      if ([text, origin.plugin, origin.reason].some((one) => one.trim() === ''))
        throw registry.error('INVALID_REQUEST', { why: 'An announcement needs a text, an origin plugin and a reason.' });
      const { chatId } = await chats.get(announcement.chatId);
      const chatQueue = chatQueues.of(chatId);
      return { chatId, messageId: await chatQueues.exclusive(chatQueue, () => announceNow(chatQueue, announcement)) };
    },
    async abort(given) {
      const { chatId } = await chats.get(given);
      const chatQueue = chatQueues.find(chatId);
      if (!chatQueue?.running) throw registry.error('NO_TURN', { chatId });
      // Includes a message that is just entering the queue.
      const unqueued = await chatQueues.exclusive(chatQueue, async () => chatQueue.queue.splice(0));
      if (!chatQueue.running) throw registry.error('NO_TURN', { chatId });
      chatQueue.unqueued.push(...unqueued);
      return { ...(await abortTurn(chatQueue.running, registry.error('ABORTED'))), unqueued: unqueued.map(({ turnId }) => turnId) };
    },
    async takeBack(turnId, given) {
      const chatQueue = chatQueues.of((await chats.get(given)).chatId);
      // The message ends with the turn that it waited for, without reaching the model.
      if (!(await chatQueues.exclusive(chatQueue, async () => unqueue(chatQueue, turnId)))) throw registry.error('NOT_QUEUED', { turnId });
    },
    status: chatQueues.status,
    statuses: () =>
      chatQueues.all().flatMap((chatQueue) => (chatQueue.running || chatQueue.idleSince !== undefined ? [chatQueues.status(chatQueue.chatId)] : [])),
    isBusy: (chatId) => (chatId === undefined ? chatQueues.all().some((chatQueue) => chatQueue.running) : chatQueues.find(chatId)?.running !== undefined),
    conversation: async (chatId) => (await conversations.open(chatId)).messages,
    async between(chatId, work) {
      const chatQueue = chatQueues.of(chatId);
      return chatQueues.exclusive(chatQueue, async () => {
        if (chatQueue.running) throw registry.error('TURN_IN_PROGRESS', { chatId, turnId: chatQueue.running.turn.turnId });
        return work((await openConversation(chatQueue)).messages);
      });
    },
    ...createRemovals({ services, conversations, lanes: chatQueues, emitter }),
    async runTask(chatId, turnId, task, signal) {
      const running = chatQueues.find(chatId)?.running;
      if (running?.turn.turnId !== turnId) throw registry.error('NO_TURN', { chatId });
      return runTask(running.turn, task, running.loop, signal, () => registry.error('ABORTED'));
    },
    stage: (staged) => stageTurn(staged, { loop, conversations, error: registry.error }),
    waiting: (chatId, waitingFor) => chatQueues.find(chatId)?.running?.turn.waiting(waitingFor) ?? (() => undefined),
    async ended(turnId) {
      for (;;) {
        const known = runner.ended.get(turnId);
        const holdsTurn = ({ running, queue }: Lane): boolean => running?.turn.turnId === turnId || queue.some((start) => start.turnId === turnId);
        const chatQueue = known ? undefined : chatQueues.all().find(holdsTurn);
        if (!chatQueue?.running) return known;
        await chatQueue.running.done;
      }
    },
    async reset(chatId, mode) {
      const chatQueue = chatQueues.of(chatId);
      await chatQueues.exclusive(chatQueue, () => resetNow(chatQueue, mode));
      // Not called inside the queue, because a tap may add a message to the chat.
      await emitter.call('session.reset', [{ chatId, mode }]);
    },
    async forget(chatId) {
      const chatQueue = chatQueues.of(chatId);
      await chatQueues.exclusive(chatQueue, () => runner.stop(chatQueue, 'ABORTED'));
      chatQueues.forget(chatId);
      conversations.drop(chatId);
      markers.clear(chatId);
    },
    warmUp: () => warmUp(loop),
    async close() {
      await Promise.all(chatQueues.all().map((chatQueue) => chatQueues.exclusive(chatQueue, () => runner.stop(chatQueue, 'SERVER_ENDING'))));
    },
  };
}
