// A journal line as the event it holds.
import type { JournalEvent } from './contract.ts';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isList: Check = (value) => Array.isArray(value) && value.every((one) => typeof one === 'object' && one !== null);
const orMissing =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

/** What readers take for granted; a line without it is as unreadable as one that is no JSON, and must not spoil the rest of the chat. */
const shapes: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  message_accepted: { messageId: isText, text: isText, attachments: orMissing(isList), clientId: orMissing(isText) },
  steer_heard: { messageIds: (value) => Array.isArray(value) && value.every(isText) },
  text: { messageId: isText, delta: isText, offset: (value) => Number.isSafeInteger(value) && (value as number) >= 0 },
  tool_start: { callId: isText, name: isText, argsText: orMissing(isText) },
  tool_result: { callId: isText, output: orMissing(isText), images: orMissing(isList) },
};
const everywhere: Readonly<Record<string, Check>> = { at: orMissing(isText), turnId: orMissing(isText), messageId: orMissing(isText) };

/** `undefined` for a line that is no event. */
export function parseEvent(text: string): JournalEvent | undefined {
  let event: JournalEvent | null;
  try {
    event = JSON.parse(text) as JournalEvent | null;
  } catch {
    return undefined; // the caller reports where it stands
  }
  if (typeof event !== 'object' || event === null || !isEventId(event.id) || typeof event.kind !== 'string') return undefined;
  if (!Object.hasOwn(shapes, event.kind)) return event;
  return fits(event, everywhere) && fits(event, shapes[event.kind] as Record<string, Check>) ? event : undefined;
}

/** One that can be counted on from. */
export function isEventId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function fits(event: JournalEvent, shape: Readonly<Record<string, Check>>): boolean {
  for (const name in shape) if (!shape[name]?.(event[name])) return false;
  return true;
}
