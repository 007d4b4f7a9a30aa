// Splits a conversation into final rows, which go to the scrollback, and live rows, which may still change.
import type { ChatState, EntryMarks } from 'agent-harness/client';
import { isCallOver, isQueued, type AssistantEntry, type Entry } from 'agent-harness/transcript';
import { oneLine } from '#lib/text';
import { cutRow } from '../screen/measure.ts';
import { rowOf, spanOf, styles, type Row } from '../screen/spans.ts';
import { lastRows } from './block-rows.ts';
import type { CodeColors } from './syntax-highlighter.ts';
import { entryRows } from './entry-rows.ts';
import { createAnnotationWriter } from './annotation-rows.ts';
import { createMarkdownStream, type MarkdownStream } from './stream-markdown.ts';
import { toolRows } from './tool-rows.ts';

export interface TranscriptRows {
  readonly commits: readonly Row[];
  readonly live: readonly Row[];
  /** Messages that are queued behind the running turn. */
  readonly waiting: readonly Row[];
}

export interface TranscriptWriter {
  /** @param marks annotations of the entries @param gone ids of hidden turns @param most maximum number of live rows */
  take(chat: ChatState, marks: EntryMarks, columns: number, gone: ReadonlySet<string>, most: number): TranscriptRows;
  /** Starts over or shows another chat; rows that were already written stay. */
  restart(): void;
}

interface OpenWords {
  readonly stream: MarkdownStream;
  /** The text processed so far. */
  text: string;
}

/** Number of turns shown initially when a chat is continued; a key shows the others. */
const shownTurns = 3;
const shownEntries = 40;
const waitingRows = 3;

export function createTranscriptWriter(colors: CodeColors): TranscriptWriter {
  /** Entries that are in the scrollback or were omitted. */
  let done = new Set<string>();
  /** Number of finished entries at the beginning, which are not scanned again with each frame. */
  let prefix = 0;
  let prefixId: string | undefined;
  let streams = new Map<string, OpenWords>();
  let isBegun = false;
  let said = createAnnotationWriter();
  /** Kind of the last entry; the cards of successive calls are grouped. */
  let lastKind: Entry['kind'] | undefined;

  function begin(entries: readonly Entry[], marks: EntryMarks, commits: Row[]): void {
    isBegun = true;
    let turns = 0;
    let from = entries.length;
    while (from > 0 && turns < shownTurns && entries.length - from < shownEntries) if (entries[--from]?.kind === 'user') turns++;
    for (const entry of entries.slice(0, from)) {
      done.add(entry.id);
      said.pass(entry, marks);
    }
    if (from > 0) commits.push([], rowOf('… earlier messages: ctrl+t', styles.dim));
  }

  function gapBefore(entry: Entry): Row[] {
    const isJoined = entry.kind === lastKind && (entry.kind === 'tool' || entry.kind === 'system');
    return isJoined ? [] : [[]];
  }

  function finish(entry: Entry): void {
    done.add(entry.id);
    streams.delete(entry.id);
    if (entry.kind !== 'assistant' || entry.text.trim() !== '') lastKind = entry.kind;
  }

  /** Renders an assistant entry. Returns whether the whole entry is in the scrollback. */
  function takeWords(entry: AssistantEntry, isFirst: boolean, columns: number, commits: Row[], live: Row[]): boolean {
    const known = streams.get(entry.id);
    const isNew = known === undefined;
    // Discards the text of a failed attempt. Rows that were already written stay, and the new text follows.
    const words = known && entry.text.startsWith(known.text) ? known : { stream: createMarkdownStream(colors), text: '' };
    if (!isFirst) {
      // An earlier entry is not finished yet.
      live.push(...gapBefore(entry), ...createMarkdownStream().take(entry.text, false, columns).live);
      return false;
    }
    const { commits: rows, live: open } = words.stream.take(entry.text, !entry.isStreaming, columns);
    words.text = entry.text;
    if (rows.length > 0 || open.length > 0) streams.set(entry.id, words);
    const gap = isNew ? gapBefore(entry) : [];
    if (rows.length > 0) commits.push(...gap, ...rows);
    else if (open.length > 0) commits.push(...gap);
    live.push(...open);
    return !entry.isStreaming && !words.stream.isHeld;
  }

  return {
    restart() {
      done = new Set();
      streams = new Map();
      prefix = 0;
      prefixId = undefined;
      isBegun = false;
      lastKind = undefined;
      said = createAnnotationWriter();
    },
    take(chat, marks, columns, gone, most) {
      const { entries } = chat;
      const commits: Row[] = [];
      const live: Row[] = [];
      const waiting: Row[] = [];
      if (!chat.isLoaded) return { commits, live, waiting };
      if (!isBegun) begin(entries, marks, commits);
      if (prefix > entries.length || (prefix > 0 && entries[prefix - 1]?.id !== prefixId)) prefix = 0;
      let isFirst = true;
      for (let at = prefix; at < entries.length; at++) {
        const entry = entries[at] as Entry;
        if (done.has(entry.id)) continue;
        if (gone.has(entry.turnId ?? '')) {
          done.add(entry.id);
          continue;
        }
        if (entry.kind === 'user' && (isQueued(entry) || entry.id.startsWith('outgoing_'))) {
          waiting.push(cutRow(waitingRow(entry.text, entry.state), columns));
          continue;
        }
        if (entry.kind === 'assistant') {
          if (takeWords(entry, isFirst, columns, commits, live)) {
            commits.push(...said.below(entry, marks, columns));
            finish(entry);
          } else isFirst = false;
        } else if (isFirst && (entry.kind !== 'tool' || isCallOver(entry))) {
          commits.push(...gapBefore(entry), ...entryRows(entry, columns), ...said.below(entry, marks, columns));
          finish(entry);
        } else {
          live.push(...(isFirst ? gapBefore(entry) : []), ...(entry.kind === 'tool' ? toolRows(entry, columns) : entryRows(entry, columns)));
          isFirst = false;
        }
      }
      // Changed annotations must not appear inside an incomplete entry.
      const changes = !isFirst ? [] : said.changes(marks, entries, (id) => done.has(id), columns);
      if (changes.length > 0) {
        commits.push(...(lastKind === 'system' ? [] : [[]]), ...changes);
        lastKind = 'system';
      }
      while (prefix < entries.length && done.has(entries[prefix]?.id ?? '')) prefix++;
      prefixId = entries[prefix - 1]?.id;
      const hidden = waiting.length - waitingRows;
      return {
        commits,
        live: lastRows(live, most, columns),
        waiting: hidden > 0 ? [...waiting.slice(0, waitingRows), rowOf(`  … ${hidden} more queued`, styles.dim)] : waiting,
      };
    },
  };
}

function waitingRow(text: string, state: string): Row {
  const what = state === 'queued' ? 'queued, ↑ withdraws it' : state === 'failed' ? 'not sent' : 'sending';
  return [spanOf('› ', styles.dim), spanOf(oneLine(text, 300), styles.dim), spanOf(`  (${what})`, state === 'failed' ? styles.red : styles.dim)];
}
