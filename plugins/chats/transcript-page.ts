// One page of a transcript: reads the journal backwards just as far as the page needs.
import { stat } from 'node:fs/promises';
import type { JournalEvent, TranscriptPage } from './contract.ts';
import { readLinesBackwards } from './journal-file.ts';
import { parseEvent } from './parse-event.ts';
import { foldTranscript } from './transcript.ts';

const defaultLimit = 200;
/** Kinds that stand for themselves. */
const notes: ReadonlySet<string> = new Set(['error', 'conversation_reset', 'checkpoint_restored']);
/** A single reply larger than this is cut in two pages. */
const pageLimitBytes = 16 * 1024 * 1024;

/** The cursor is the byte offset at which the page begins. `undefined` for a cursor that cannot be one. */
export async function readTranscriptPage(path: string, options: { readonly before?: string; readonly limit?: number }): Promise<TranscriptPage | undefined> {
  const end = options.before === undefined ? undefined : parseCursor(options.before);
  if (options.before !== undefined && (end === undefined || end > (await sizeOf(path)))) return undefined;
  const window = createWindow(Math.max(1, options.limit ?? defaultLimit));
  let start = 0;
  let bytes = 0;
  for await (const line of readLinesBackwards(path, end)) {
    const event = parseEvent(line.text);
    if (event && (window.isCompleteBefore(event) || bytes > pageLimitBytes)) break;
    if (event) window.take(event);
    start = line.start;
    bytes += line.text.length;
  }
  const entries = foldTranscript(window.events());
  return start > 0 ? { entries, cursor: String(start) } : { entries };
}

interface Window {
  /** Whether a page may begin after this event: it has enough entries, and none of them goes on before. */
  isCompleteBefore(event: JournalEvent): boolean;
  take(event: JournalEvent): void;
  events(): JournalEvent[];
}

/** Events arrive newest first. */
function createWindow(limit: number): Window {
  const newestFirst: JournalEvent[] = [];
  const entryIds = new Set<string>();
  /** Replies of which a call has been seen; their text stands before it. */
  const replies = new Set<unknown>();
  /** Calls whose beginning has not been seen yet. */
  const open = new Set<string>();
  let startedTurn: string | undefined;

  return {
    isCompleteBefore(event) {
      if (entryIds.size < limit || open.size > 0) return false;
      const { messageId } = event;
      const callId = callOf(event);
      if (replies.has(messageId) || (callId !== undefined && entryIds.has(callId))) return false;
      return !(event.kind === 'message_accepted' && event.turnId === startedTurn);
    },
    take(event) {
      newestFirst.push(event);
      const { kind, messageId } = event;
      const callId = callOf(event);
      startedTurn = kind === 'turn_start' ? event.turnId : undefined;
      if (kind === 'turn_start') open.clear();
      else if (callId !== undefined) {
        entryIds.add(callId);
        if (kind === 'tool_start' && event['args'] === undefined) open.delete(callId);
        else open.add(callId);
      } else if (kind === 'text' || kind === 'message_accepted') entryIds.add(String(messageId));
      else if (notes.has(kind)) entryIds.add(String(event.id));
      if (messageId !== undefined && kind !== 'message_accepted' && kind !== 'turn_start') replies.add(messageId);
    },
    events: () => newestFirst.reverse(),
  };
}

function callOf(event: JournalEvent): string | undefined {
  const { callId } = event;
  return typeof callId === 'string' ? callId : undefined;
}

function parseCursor(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0; // nothing was ever said
  }
}
