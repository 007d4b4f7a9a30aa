// What a person took out of a conversation: of its events only that they were there leaves, and is read again.
import { isRecord } from 'agent-harness/lib/values';
import { handle, type ChatEvent } from 'agent-harness/transcript';

/** What tells an event from others and where it belongs. */
const kept: ReadonlySet<string> = new Set(['id', 'kind', 'at', 'chatId', 'turnId', 'messageId', 'callId', 'toolCallId', 'taskId']);

/** Of one chat, its events in their order. @param taken ids of its messages and calls, asked for each event */
export function leavingOut(taken: () => ReadonlySet<string>): (event: unknown) => unknown {
  /** Of calls that were taken out: what is said and done in them is theirs. */
  const tasks = new Set<unknown>();
  return (event) => {
    if (!isRecord(event)) return event;
    // Of a line that was too long only its beginning is there.
    if (typeof event['cut'] === 'string') return [...taken()].some((id) => String(event['cut']).includes(id)) ? { isTakenOut: true } : event;
    const { kind, messageId, callId = event['toolCallId'], taskId } = event;
    const isTaken = (id: unknown): boolean => typeof id === 'string' && taken().has(id);
    if (taskId !== undefined && isTaken(event['callId'])) tasks.add(taskId);
    // A call names the message before it, and a turn the one that began it.
    const isSaid = callId === undefined && handle(event as ChatEvent, { turn_start: () => false }) !== false;
    const isOut = tasks.has(taskId) || isTaken(callId) || (isSaid && isTaken(messageId));
    if (isOut) return { ...Object.fromEntries(Object.entries(event).filter(([key]) => kept.has(key))), isTakenOut: true };
    // A chat that nobody named is called as its first message begins.
    return kind === 'chat_updated' && taken().size > 0 ? { ...event, title: undefined } : event;
  };
}
