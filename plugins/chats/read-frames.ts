// Frames of a chat from the disk, for readers that were away longer than memory reaches.
import type { EventFrame } from './contract.ts';
import { readLines, readLinesBackwards, type JournalLine } from './journal-file.ts';
import { parseEvent } from './parse-event.ts';

/** More than this is not replayed; a reader that far behind is better off with the transcript. */
const replayLimitBytes = 64 * 1024 * 1024;

/** Frames later than `since`, oldest first; `undefined` when they are too many. */
export async function readFramesAfter(
  path: string,
  chatId: string,
  since: number,
  onBrokenLine: (chatId: string, start: number) => void,
): Promise<readonly EventFrame[] | undefined> {
  const frames: EventFrame[] = [];
  let bytes = 0;

  /** Answers whether to go on. */
  function take(line: JournalLine): boolean {
    const event = parseEvent(line.text);
    if (!event) {
      onBrokenLine(chatId, line.start);
      return true;
    }
    if (event.id <= since) return false;
    frames.push({ id: event.id, kind: event.kind, chatId, json: line.text });
    bytes += line.text.length;
    return bytes <= replayLimitBytes;
  }

  if (since <= 0) {
    for await (const lines of readLines(path)) if (!lines.every(take)) break;
    return bytes > replayLimitBytes ? undefined : frames;
  }
  for await (const line of readLinesBackwards(path)) if (!take(line)) break;
  return bytes > replayLimitBytes ? undefined : frames.reverse();
}
