// What the model remembers of a chat: a fold over the journal's events, the same live and after a restart. Pure.
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { ImagePart, ModelMessage } from 'agent-harness/plugins/models';
import type { KeptImage, SavedAttachment } from 'agent-harness/plugins/agent';
import { describeAttachments } from './attachment-text.ts';
import { createReplies, toolMessage } from './replies.ts';

export interface Conversation {
  readonly messages: ModelMessage[];
  /** Text from outside (web, foreign files) is in it. */
  isTainted: boolean;
  /** Idempotency key → what was answered. */
  readonly replies: Map<string, KnownReply>;
  /** Turns that were accepted and have no `turn_end`. */
  readonly openTurns: Map<string, OpenTurn>;
}

export interface KnownReply {
  readonly turnId: string;
  readonly messageId: string;
  readonly queued: boolean;
}

export interface OpenTurn {
  readonly messageId: string;
  isStarted: boolean;
  readonly startedAt: string;
  /** Calls that have no result: call id → tool name. */
  readonly openCalls: Map<string, string>;
}

export interface Fold {
  readonly conversation: Conversation;
  take(event: JournalEvent): void;
  /** Ends what the journal leaves open: a reply, and calls without a result. */
  settle(): void;
}

interface Accepted {
  readonly turnId: string;
  readonly messageId: string;
  readonly text: string;
  readonly attachments?: readonly SavedAttachment[];
  readonly clientId?: string;
  readonly isSteer?: boolean;
  readonly at: string;
}

export function createConversation(): Conversation {
  return { messages: [], isTainted: false, replies: new Map(), openTurns: new Map() };
}

/**
 * @param imagesOf pictures among a message's attachments, or of a tool result
 * @param excerptOf what stands of an attachment's text in its message
 */
export function createFold(
  imagesOf: (images: readonly KeptImage[]) => readonly ImagePart[] | undefined,
  excerptOf: (attachmentId: string) => string | undefined = () => undefined,
): Fold {
  const conversation = createConversation();
  const { messages, openTurns, replies: known } = conversation;
  const replies = createReplies(messages);
  /** Messages that joined a running turn and that the model has not read yet, by message id. */
  const steers = new Map<string, ModelMessage>();
  /** Turn → its message; heard when the turn starts, which a queued one does late. */
  const accepted = new Map<string, ModelMessage>();

  /** What the turn that started last began with. */
  let newest: ModelMessage | undefined;

  function hear(messageIds: Iterable<string>): void {
    for (const messageId of messageIds) {
      const message = steers.get(messageId);
      if (message) messages.push(message);
      steers.delete(messageId);
    }
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each taker names the fields of its own kind
  const takers: Readonly<Record<string, (event: any) => void>> = {
    message_accepted({ turnId, messageId, text, attachments = [], clientId, isSteer, at }: Accepted) {
      const message = userMessage(text, describeAttachments(attachments, excerptOf), imagesOf(attachments));
      if (hasText(attachments)) conversation.isTainted = true;
      if (clientId !== undefined) known.set(clientId, { turnId, messageId, queued: !isSteer && openTurns.size > 0 });
      if (isSteer) return void steers.set(messageId, message);
      accepted.set(turnId, message);
      openTurns.set(turnId, { messageId, isStarted: false, startedAt: at, openCalls: new Map() });
    },
    turn_start({ turnId }: { turnId: string }) {
      replies.settle();
      const message = accepted.get(turnId);
      if (message) messages.push(message);
      newest = message;
      accepted.delete(turnId);
      const turn = openTurns.get(turnId);
      if (turn) turn.isStarted = true;
    },
    steer_heard({ messageIds }: { messageIds: readonly string[] }) {
      replies.settle();
      hear(messageIds);
    },
    text: replies.text,
    usage: replies.complete,
    provider_retry: replies.retry,
    tool_start(event: { turnId: string; messageId: string; callId: string; name: string; argsText?: string }) {
      const { turnId, messageId, callId, name, argsText } = event;
      if (argsText === undefined) return; // the model has only begun to write it
      replies.call(turnId, messageId, { id: callId, name, argsText });
      openTurns.get(turnId)?.openCalls.set(callId, name);
    },
    tool_result(event: { turnId: string; callId: string; name: string; ok: boolean; output: string; untrusted?: boolean; images?: readonly KeptImage[] }) {
      const { turnId, callId, name, ok, output, untrusted = false, images = [] } = event;
      if (untrusted) conversation.isTainted = true;
      openTurns.get(turnId)?.openCalls.delete(callId);
      replies.result(callId, toolMessage(callId, name, ok, output, untrusted, imagesOf(images)));
    },
    turn_end({ turnId, isUnqueued }: { turnId: string; isUnqueued?: boolean }) {
      replies.settle();
      if (isUnqueued && newest && messages.at(-1) === newest) messages.pop();
      hear(steers.keys());
      openTurns.delete(turnId);
    },
    conversation_reset() {
      replies.forget();
      steers.clear();
      accepted.clear();
      messages.length = 0;
      conversation.isTainted = false;
    },
  };

  return {
    conversation,
    take(event) {
      if (Object.hasOwn(takers, event.kind)) takers[event.kind]?.(event);
    },
    settle: replies.settle,
  };
}

/** @param lines what is said of its attachments */
export function userMessage(text: string, lines: readonly string[], images: readonly ImagePart[] | undefined): ModelMessage {
  return { role: 'user', text: [text, ...lines].join('\n'), ...(images && images.length > 0 ? { images } : {}) };
}

/** Text of files is other people's until somebody says otherwise. */
export function hasText(attachments: readonly SavedAttachment[]): boolean {
  return attachments.some((one) => one.artifactId !== undefined);
}
