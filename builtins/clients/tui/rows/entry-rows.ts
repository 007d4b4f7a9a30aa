// Renders transcript entries other than agent text and calls as rows.
import {
  authorText,
  isTrace,
  unqueuedText,
  type AnnouncementEntry,
  type Entry,
  type NoteEntry,
  type Transcript,
  type UserEntry,
} from 'agent-harness/transcript';
import { oneLine } from '#lib/text';
import { linesOf, rowOf, spanOf, styles, type Row, type Span } from '../screen/spans.ts';
import { wrapRow } from '../screen/wrap.ts';
import { loadedColors, noColors } from './syntax-highlighter.ts';
import { createMarkdownStream } from './stream-markdown.ts';
import { toolRows } from './tool-rows.ts';
import { viewRows } from './view-rows.ts';

export function userRows(entry: UserEntry, columns: number): Row[] {
  const author = authorText(entry);
  const head = author === undefined ? [] : [spanOf(`[${oneLine(author, 300)}] `, styles.dim)];
  const mark: Span = { ...spanOf('› ', styles.bold), isMessageStart: true };
  const indent = spanOf('  ');
  const text = linesOf(entry.text.trimEnd(), styles.bold).flatMap((line, at) =>
    wrapRow(at === 0 ? [...head, ...line] : line, columns, { first: [at === 0 ? mark : indent], rest: [indent] }),
  );
  const files = entry.attachments.map(({ name }) => rowOf(`  [${oneLine(name, 200)}]`, styles.dim));
  return [...text, ...files];
}

export function announcementRows(entry: AnnouncementEntry, columns: number): Row[] {
  const author = authorText(entry);
  const style = isTrace(entry) ? styles.dim : styles.plain;
  const head = author === undefined ? [] : [spanOf(`[${oneLine(author, 300)}] `, styles.dim)];
  return linesOf(entry.text, style).flatMap((line, at) => wrapRow(at === 0 ? [...head, ...line] : line, columns, { first: [], rest: [] }));
}

/** @param all the surrounding transcript: queued messages that were removed belong to its end */
export function noteRows(entry: NoteEntry, columns: number, all?: Transcript): Row[] {
  if (entry.view !== undefined) return viewRows(entry.view, columns, { isCalled: true });
  const isFault = entry.kind === 'error';
  const [mark, style] = isFault ? ['! ', styles.red] : ['· ', styles.dim];
  const unheard = all && entry.code === 'aborted' && all.entries.some((one) => one.kind === 'user' && one.state === 'failed') ? [` ${unqueuedText}`] : [];
  return linesOf(entry.text + unheard.join('')).flatMap((line) =>
    wrapRow(
      line.map(({ text }) => ({ text, style })),
      columns,
      { first: [spanOf(mark, style)], rest: [spanOf('  ')] },
    ),
  );
}

/** Renders all rows of a finished entry. */
export function entryRows(entry: Entry, columns: number, isWhole = false, colors = noColors): Row[] {
  switch (entry.kind) {
    case 'user':
      return userRows(entry, columns);
    case 'assistant':
      return [...createMarkdownStream(loadedColors(colors)).take(entry.text, true, columns).commits];
    case 'tool':
      return toolRows(entry, columns, isWhole);
    case 'announcement':
      return announcementRows(entry, columns);
    default:
      return noteRows(entry, columns);
  }
}
