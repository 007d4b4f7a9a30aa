// Reads one page of a chat's transcript. Reads the journal backwards, and only as far as the page requires.
import type { JournalStore } from 'agent-harness/plugins/storage';
import { createPageWindow } from 'agent-harness/transcript';
import { parseEvent } from 'agent-harness/transcript/events';
import type { JournalEvent, TranscriptPage } from '../contract.ts';

const defaultLimit = 200;
/** Maximum size of a page, in bytes of the journal; a larger reply is split across two pages. */
const pageLimitBytes = 16 * 1024 * 1024;

export interface PageOptions {
  /** Cursor of another page: the byte offset in the journal at which that page begins. */
  readonly before?: string;
  readonly limit?: number;
  /** Returns whether a turn is running in the chat. */
  isBusy(): boolean;
  /** Adds the fields that an event written by an older version lacks. */
  complete(event: JournalEvent): JournalEvent;
}

/** Returns a page; `undefined` for an invalid cursor. */
export async function readTranscriptPage(
  store: JournalStore,
  path: string,
  { before, limit = defaultLimit, isBusy, complete }: PageOptions,
): Promise<TranscriptPage | undefined> {
  const end = before === undefined ? undefined : parseCursor(before);
  if (before !== undefined && (end === undefined || end > ((await store.size(path)) ?? 0))) return undefined;
  const wasBusy = isBusy();
  const window = createPageWindow(Math.max(1, limit));
  let start = 0;
  let bytes = 0;
  for await (const line of store.readBackwards(path, end)) {
    const event = parseEvent(line.text);
    if (event && (window.isCompleteBefore(event) || bytes > pageLimitBytes)) break;
    if (event) window.take(complete(event));
    start = line.start;
    bytes += line.text.length;
  }
  const { entries, running } = window.transcript(before !== undefined || !(wasBusy || isBusy()));
  const { upTo } = window;
  return { entries, ...(running ? { running } : {}), ...(start > 0 ? { cursor: String(start) } : {}), ...(upTo === undefined ? {} : { upTo }) };
}

function parseCursor(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}
