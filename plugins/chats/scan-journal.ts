// Mends the end of a journal and gathers what else can be told from it.
import { closeSync, openSync } from 'node:fs';
import { mendEnd, readLines } from './journal-file.ts';
import { parseEvent } from './parse-event.ts';

export interface ScannedJournal {
  /** Bytes of a half-written last line that were cut off. */
  readonly cut: number;
  /** Lines that cannot be read; they stay. */
  readonly broken: number;
  readonly greatestId: number;
  /** Turns that a message started. */
  readonly turns: number;
  /** The title that was given last. */
  readonly title?: string;
  /** First line of the first message. */
  readonly firstLine?: string;
  /** ISO 8601; left out without a readable event. */
  readonly firstAt?: string;
  readonly lastAt?: string;
}

/** `undefined` where there is no journal. Nobody may be writing to it. */
export async function scanJournal(path: string): Promise<ScannedJournal | undefined> {
  const cut = cutHalfLine(path);
  if (cut === undefined) return undefined;
  const found: { -readonly [K in keyof ScannedJournal]: ScannedJournal[K] } = { cut, broken: 0, greatestId: 0, turns: 0 };
  for await (const lines of readLines(path)) {
    for (const { text } of lines) {
      const event = parseEvent(text);
      if (!event) {
        found.broken++;
        continue;
      }
      found.greatestId = Math.max(found.greatestId, event.id);
      found.firstAt ??= event.at;
      found.lastAt = event.at;
      if (event.kind === 'chat_updated' && typeof event['title'] === 'string') found.title = event['title'];
      if (event.kind !== 'message_accepted' || event['isSteer'] === true) continue;
      found.turns++;
      found.firstLine ??= String(event['text']).split('\n', 1)[0] ?? '';
    }
  }
  return found;
}

function cutHalfLine(path: string): number | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r+');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw fault;
  }
  try {
    return mendEnd(descriptor).cut;
  } finally {
    closeSync(descriptor);
  }
}
