// Builds the messages of a chat for the model from its events. The result is the same during a turn and after a restart. Pure.
import { textEnd } from '#lib/text';
import type { AudioPart, ImagePart, ModelMessage } from 'agent-harness/plugins/models';
import type { ReadEvent } from './batch.ts';
import type { EventKind } from './events.ts';
import { printedText } from './join-text.ts';
import { redactMessage, takeRemoval, type Removals } from './removals.ts';
import { createReplies, quoteForeign, toolMessage } from './replies.ts';
import type { Origin } from './state.ts';

export interface Conversation {
  /** Complete messages; the streaming reply is added by {@link Conversation.settle} or by the next message. */
  readonly messages: ModelMessage[];
  /** Notes that requests contain after a message (`PromptTail.stays`); not part of the conversation. */
  readonly notes: WeakMap<ModelMessage, readonly ModelMessage[]>;
  /** Whether the conversation contains external content (web, foreign files). */
  isTainted: boolean;
  /** Replies to accepted messages by idempotency key. */
  readonly replies: Map<string, KnownReply>;
  /** Message ids of announcements by idempotency key. */
  readonly announced: Map<string, string>;
  /** Accepted turns without `turn_end`. */
  readonly openTurns: Map<string, OpenTurn>;
  /** Removed entries; {@link Conversation.messages} contain a replacement text for them. */
  readonly removals: Removals;
  /** Returns the text of a user's or plugin's message, without the text that the conversation adds. */
  textOf(messageId: string): string | undefined;
  /** Messages and calls, including those of tasks, since the start of the journal; by id. */
  readonly sources: ReadonlyMap<string, EntrySource>;
  /** Applies the next event of the chat; events that do not concern the model change nothing. */
  take<K extends EventKind>(kind: K, event: AppliedEvent<K>, extras?: MessageExtras): void;
  /** Ends an open reply, and calls without a result. */
  settle(): void;
}

/** An event that was read from a journal or is being emitted. */
export type AppliedEvent<K extends EventKind> = Omit<ReadEvent<K>, 'kind' | 'at'> & { readonly at?: string };

/** Content to which an event only refers, such as the text of files. */
export interface MessageExtras {
  /** Descriptions of the message's files. */
  readonly lines?: readonly string[];
  /** Text of a removed entry outside this conversation that messages may quote. */
  readonly words?: string | undefined;
  /** Images of a message, or of a tool's result. */
  readonly images?: readonly ImagePart[];
  /** Audio files of a message. */
  readonly audio?: readonly AudioPart[];
}

/** Data of a message or a call in addition to its text. */
export interface EntrySource {
  /** Turn of the message or call; omitted for announcements. */
  readonly turnId?: string;
  /** For a user's or plugin's message: its text, without the text that the conversation adds. */
  readonly text?: string;
  /** Ids with which tools read the attachments or the full output. */
  readonly files?: readonly string[];
}

export interface KnownReply {
  readonly turnId: string;
  readonly messageId: string;
  readonly queued: boolean;
}

export interface OpenTurn {
  readonly messageId: string;
  isStarted: boolean;
  /** Start of the turn (ISO 8601), from the journal. */
  readonly startedAt?: string;
  /** Calls without a result, by id. */
  readonly openCalls: Map<string, OpenCall>;
}

export interface OpenCall {
  readonly name: string;
  /** The end of the output so far. */
  printed: string;
}

/** Maximum length, in UTF-16 code units, of the stored output of a running call. */
const maxPrintedLength = 16_000;

type Reducers = { readonly [K in EventKind]?: (event: AppliedEvent<K>, extras: MessageExtras) => void };

export function createConversation(): Conversation {
  const messages: ModelMessage[] = [];
  const known = new Map<string, KnownReply>();
  const announced = new Map<string, string>();
  const openTurns = new Map<string, OpenTurn>();
  const sources = new Map<string, EntrySource>();
  const removals = new Map<string, readonly string[]>();
  /** Texts of removed entries, by id. */
  const words = new Map<string, string>();
  const ids = new WeakMap<ModelMessage, string>();
  /** Maps redacted messages to their originals. */
  const originals = new WeakMap<ModelMessage, ModelMessage>();
  const replies = createReplies(add);
  /** Messages that joined a running turn and that the model has not read yet, by message id. */
  const steers = new Map<string, ModelMessage>();
  /** Messages by turn id; added to the conversation when the turn starts. */
  const accepted = new Map<string, ModelMessage>();
  /** Announcements since the start of the last turn, by message id; they precede the message of the next turn. */
  const outside = new Map<string, ModelMessage>();
  /** The first message of the last turn that started. */
  let newest: ModelMessage | undefined;

  function add(message: ModelMessage, messageId?: string): void {
    if (messageId !== undefined) ids.set(message, messageId);
    messages.push(redacted(message));
  }

  function redacted(message: ModelMessage): ModelMessage {
    if (removals.size === 0) return message;
    const next = redactMessage(message, ids.get(message), (id) => removals.has(id), words.values());
    if (next !== message) originals.set(next, message);
    return next;
  }

  const originalOf = (message: ModelMessage): ModelMessage => originals.get(message) ?? message;

  function textOf(messageId: string): string | undefined {
    return sources.get(messageId)?.text ?? messages.map(originalOf).find((message) => ids.get(message) === messageId)?.text;
  }

  function changeRemovals(kind: EventKind, event: AppliedEvent<'entry_removed'>, quoted?: string): void {
    const { entryId } = event;
    takeRemoval(removals, { ...event, kind, at: '' });
    const text = quoted ?? textOf(entryId);
    if (text !== undefined && removals.has(entryId)) words.set(entryId, text);
    else words.delete(entryId);
    messages.forEach((message, at) => (messages[at] = redacted(originalOf(message))));
  }

  function know(id: string, source: EntrySource): void {
    sources.set(id, { ...sources.get(id), ...source });
  }

  function markHeard(messageIds: Iterable<string>): void {
    for (const messageId of messageIds) {
      const message = steers.get(messageId);
      if (message) add(message, messageId);
      steers.delete(messageId);
    }
  }

  const reducers: Reducers = {
    message_accepted({ turnId = '', messageId, text, attachments = [], clientId, isSteer = false, at, origin, untrusted = false }, extras) {
      const message = userMessage(origin ? [askedBy(origin), text].join('\n') : text, extras);
      const files = attachments.flatMap(({ attachmentId, artifactId }) => [attachmentId, ...(artifactId === undefined ? [] : [artifactId])]);
      know(messageId, { turnId, text, files });
      if (untrusted || attachments.some(isReadable)) conversation.isTainted = true;
      if (clientId !== undefined) known.set(clientId, { turnId, messageId, queued: !isSteer && openTurns.size > 0 });
      if (isSteer) return void steers.set(messageId, message);
      accepted.set(turnId, message);
      openTurns.set(turnId, { messageId, isStarted: false, ...(at === undefined ? {} : { startedAt: at }), openCalls: new Map() });
    },
    announcement({ messageId, text, origin, isForModel = false, untrusted = false, clientId }) {
      if (clientId !== undefined) announced.set(clientId, messageId);
      know(messageId, { text });
      if (!isForModel) return;
      if (untrusted) conversation.isTainted = true;
      outside.set(messageId, announcementMessage(text, origin, untrusted));
    },
    turn_start({ turnId = '' }) {
      replies.settle();
      for (const [messageId, said] of outside) add(said, messageId);
      outside.clear();
      const message = accepted.get(turnId);
      const turn = openTurns.get(turnId);
      if (message) add(message, turn?.messageId);
      newest = message;
      accepted.delete(turnId);
      if (turn) turn.isStarted = true;
    },
    steer_heard({ messageIds }) {
      replies.settle();
      markHeard(messageIds);
    },
    text(event) {
      const { turnId = '', messageId } = event;
      if (!sources.has(messageId)) know(messageId, { turnId });
      replies.text(event);
    },
    provider_data: replies.data,
    usage: replies.complete,
    provider_retry: replies.retry,
    tool_start({ turnId = '', messageId = '', callId, name, argsText }) {
      if (argsText === undefined) return; // the model is still writing the call
      replies.call(turnId, messageId, { id: callId, name, argsText });
      know(callId, { turnId });
      openTurns.get(turnId)?.openCalls.set(callId, { name, printed: '' });
    },
    tool_progress({ turnId = '', callId, note }) {
      const call = openTurns.get(turnId)?.openCalls.get(callId);
      if (call) call.printed = textEnd(printedText([call.printed, note]), maxPrintedLength);
    },
    tool_result({ turnId = '', callId, name = '', ok = false, output = '', untrusted = false, artifactId }, { images }) {
      if (untrusted) conversation.isTainted = true;
      if (artifactId !== undefined) know(callId, { turnId, files: [artifactId] });
      openTurns.get(turnId)?.openCalls.delete(callId);
      replies.result(callId, toolMessage(callId, name, ok, output, untrusted, images));
    },
    turn_end({ turnId = '', isUnqueued }) {
      replies.settle();
      const last = messages.at(-1);
      if (isUnqueued && newest && last && originalOf(last) === newest) messages.pop();
      markHeard(steers.keys());
      openTurns.delete(turnId);
    },
    subtask_text: ({ turnId = '', messageId = '' }) => know(messageId, { turnId }),
    subtask_tool: ({ turnId = '', toolCallId }) => know(toolCallId, { turnId }),
    entry_removed: (event, extras) => changeRemovals('entry_removed', event, extras.words),
    entry_restored: (event) => changeRemovals('entry_restored', event),
    conversation_reset() {
      replies.forget();
      steers.clear();
      outside.clear();
      accepted.clear();
      messages.length = 0;
      conversation.isTainted = false;
    },
  };

  const conversation: Conversation = {
    messages,
    notes: new WeakMap(),
    isTainted: false,
    replies: known,
    announced,
    openTurns,
    removals,
    sources,
    textOf,
    take(kind, event, extras = {}) {
      if (Object.hasOwn(reducers, kind)) reducers[kind]?.(event, extras);
    },
    settle: replies.settle,
  };
  return conversation;
}

function userMessage(text: string, { lines = [], images = [], audio = [] }: MessageExtras): ModelMessage {
  return { role: 'user', text: [text, ...lines].join('\n'), ...(images.length > 0 ? { images } : {}), ...(audio.length > 0 ? { audio } : {}) };
}

const asks = "[Not from the user: the plugin '";
const says = "From the plugin '";
/** Prefix of a line about an attached file. */
export const attachedStart = '[attached: ';

const askedBy = ({ plugin, reason }: Origin): string => `${asks}${plugin}' asks for this. ${reason}]`;

/** Returns the message of an announcement. External content never has the role `system`. */
function announcementMessage(text: string, { plugin, reason }: Origin, isUntrusted: boolean): ModelMessage {
  const head = `${says}${plugin}', not by the user: ${reason}`;
  return isUntrusted ? { role: 'user', text: `[${head}]\n${quoteForeign(text)}`, isUntrusted } : { role: 'system', text: `${head}\n${text}` };
}

/** Returns whether a file has readable text. Its content is treated as external unless it is marked otherwise. */
export function isReadable({ artifactId }: { readonly artifactId?: string }): boolean {
  return artifactId !== undefined;
}
