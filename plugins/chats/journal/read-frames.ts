// Reads the event frames of chats from disk, for readers that were disconnected for longer than the frames in memory cover.
import { createSlices } from '#lib/event-loop';
import type { JournalLine, JournalStore } from 'agent-harness/plugins/storage';
import type { EventFrame, JournalEvent } from '../contract.ts';
import { parseEvent } from 'agent-harness/transcript/events';

/** Maximum size of a replay in bytes; a reader that needs more should load the transcript. */
const replayLimitBytes = 64 * 1024 * 1024;

export interface LineReader {
  readonly store: JournalStore;
  /** Adds the fields that an event written by an older version lacks. */
  complete(event: JournalEvent): JournalEvent;
  onBrokenLine(chatId: string, start: number): void;
}

/** Returns the frames of a chat after `since`, oldest first; `undefined` if there are too many. */
export async function readFramesAfter(
  path: string,
  chatId: string,
  since: number,
  { store, complete, onBrokenLine }: LineReader,
  budget = { bytes: replayLimitBytes },
): Promise<readonly EventFrame[] | undefined> {
  const frames: EventFrame[] = [];

  /** Adds a line of the journal. Returns whether reading should continue. */
  function take(line: JournalLine): boolean {
    const event = parseEvent(line.text);
    if (!event) {
      onBrokenLine(chatId, line.start);
      return true;
    }
    if (event.id <= since) return false;
    const whole = complete(event);
    frames.push({ id: event.id, kind: event.kind, chatId, json: whole === event ? line.text : JSON.stringify(whole) });
    budget.bytes -= line.text.length;
    return budget.bytes >= 0;
  }

  if (since <= 0) {
    for await (const lines of store.read(path)) if (!lines.every(take)) break;
    return budget.bytes < 0 ? undefined : frames;
  }
  for await (const line of store.readBackwards(path)) if (!take(line)) break;
  return budget.bytes < 0 ? undefined : frames.reverse();
}

/** Reads the frames of several chats, in order of ids. Skips an unreadable journal, which is reported when its chat is opened next. */
export async function readAllFramesAfter(
  chats: readonly { readonly chatId: string; readonly path: string }[],
  since: number,
  reader: LineReader,
): Promise<readonly EventFrame[] | undefined> {
  const budget = { bytes: replayLimitBytes };
  const pause = createSlices();
  const frames: EventFrame[] = [];
  for (const { chatId, path } of chats) {
    const some = await readFramesAfter(path, chatId, since, reader, budget).catch(() => []);
    if (!some) return undefined;
    for (const frame of some) frames.push(frame);
    await pause();
  }
  return frames.sort((left, right) => left.id - right.id);
}
