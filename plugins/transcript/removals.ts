// Tracks the entries that the user removed from a conversation, and redacts messages and events that contain them. Pure.
import type { ModelMessage } from 'agent-harness/plugins/models';
import { isRecord } from '#lib/values';
import type { EventHead, ReadEvent } from './batch.ts';
import type { Entry } from './state.ts';

/** Text that replaces removed text in requests. */
export const removedText = '[The user removed this from the conversation.]';

/** Removed messages and calls by id, each with the names of the plugins that still store derived data. */
export type Removals = ReadonlyMap<string, readonly string[]>;

/** Returns whether an event changes {@link Removals}. */
export function isRemoval(kind: string): boolean {
  return kind === 'entry_removed' || kind === 'entry_restored';
}

/** Applies an event that changes the removals; ignores other kinds. */
export function takeRemoval(removals: Map<string, readonly string[]>, event: EventHead): void {
  const { entryId, left = [] } = event as ReadEvent<'entry_removed'>;
  if (event.kind === 'entry_removed') removals.set(entryId, left);
  if (event.kind === 'entry_restored') removals.delete(entryId);
}

/** Returns the entries of a page; sets `isRemoved` on exactly those that are removed, including calls of tasks. */
export function withRemovals(entries: readonly Entry[], removals: Removals): readonly Entry[] {
  return removals.size === 0 ? entries : entries.map((entry) => marked(entry, (id) => removals.has(id)));
}

/** Returns an entry with `isRemoved` set or cleared, also on the calls of its task; returns the same entry if nothing changes. */
export function marked(entry: Entry, isRemoved: (id: string) => boolean | undefined): Entry {
  if (entry.kind === 'user' || entry.kind === 'assistant' || entry.kind === 'announcement') return flagged(entry, isRemoved(entry.id));
  if (entry.kind !== 'tool') return entry;
  const own = flagged(entry, isRemoved(entry.callId));
  const { task } = own;
  const calls = task?.calls.map((call) => flagged(call, isRemoved(call.callId))) ?? [];
  return !task || calls.every((call, at) => call === task.calls[at]) ? own : { ...own, task: { ...task, calls } };
}

function flagged<T extends { readonly isRemoved?: true }>(one: T, isRemoved: boolean | undefined): T {
  if (isRemoved === undefined || isRemoved === (one.isRemoved === true)) return one;
  const { isRemoved: _, ...rest } = one;
  return (isRemoved ? { ...rest, isRemoved } : rest) as T;
}

/** Minimum length, in UTF-16 code units, of a removed text that is also redacted inside other messages, such as the goal of a task. */
const minQuotedLength = 20;

/**
 * Returns a message as it is sent in requests; the same object if no part of it is removed.
 * @param id id of the message; omitted for results of calls
 * @param words texts of removed messages
 */
export function redactMessage(message: ModelMessage, id: string | undefined, isRemoved: (id: string) => boolean, words: Iterable<string>): ModelMessage {
  const isOut = id !== undefined && isRemoved(id);
  if (message.role === 'tool') {
    const { images: _, ...rest } = message;
    return isRemoved(message.callId) ? { ...rest, text: removedText } : message;
  }
  if (message.role === 'assistant') {
    if (!isOut && !message.toolCalls.some((call) => isRemoved(call.id))) return message;
    // Signed reasoning may repeat the removed text.
    const { providerData: _, ...rest } = message;
    return {
      ...rest,
      text: isOut ? removedText : message.text,
      toolCalls: message.toolCalls.map((call) => (isRemoved(call.id) ? { ...call, argsText: '{}' } : call)),
    };
  }
  if (isOut) return { role: message.role, text: removedText };
  let { text } = message;
  for (const one of words) if (one.length >= minQuotedLength) text = text.replaceAll(one, () => removedText);
  return text === message.text ? message : { ...message, text };
}

/** Fields that identify an event and its position. */
const headFields: ReadonlySet<string> = new Set(['id', 'kind', 'at', 'chatId', 'turnId', 'messageId', 'callId', 'toolCallId', 'taskId']);

/**
 * Redacts the events of one chat, in order: a removed entry keeps only its identifying fields, with `isRemoved`.
 * @param removals returns the current removals; called for each event
 */
export function createEventRedactor(removals: () => Removals): (event: unknown) => unknown {
  /** Ids of tasks of removed calls, whose events are also removed. */
  const tasks = new Set<unknown>();
  return (event) => {
    if (!isRecord(event)) return event;
    // The event contains only the beginning of a line that is too long.
    if (typeof event['cut'] === 'string') return [...removals().keys()].some((id) => String(event['cut']).includes(id)) ? { isRemoved: true } : event;
    const { kind, messageId, callId = event['toolCallId'], taskId } = event;
    const isOut = (id: unknown): boolean => typeof id === 'string' && removals().has(id);
    if (taskId !== undefined && isOut(event['callId'])) tasks.add(taskId);
    // A call event contains the id of the preceding message, and a turn event the id of its first message.
    const isOwn = callId === undefined && kind !== 'turn_start';
    if (tasks.has(taskId) || isOut(callId) || (isOwn && isOut(messageId)))
      return { ...Object.fromEntries(Object.entries(event).filter(([key]) => headFields.has(key))), isRemoved: true };
    // The title of an untitled chat comes from its first message.
    return kind === 'chat_updated' && removals().size > 0 ? { ...event, title: undefined } : event;
  };
}
