// Reads windows of lines from files that are converted to text: PDFs, office documents and notebooks.
import { failure } from '#lib/errors';
import { countWithNoun, textStart } from '#lib/text';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { readNotebook } from '../documents/read-notebook.ts';
import { readPdf } from '../documents/read-pdf.ts';

export interface Part {
  /** Number of the first line, counted from 1. */
  readonly first: number;
  /** Number of lines. */
  readonly count: number;
}

const maxChars = 40_000;
const maxLine = 2_000;

export async function readPdfText(bytes: Uint8Array, shown: string, part: Part, context: ToolContext): Promise<ToolOutcome> {
  const { pageCount, pages, fault } = await readPdf(bytes, context.signal);
  if (pages.length === 0) throw failure(`${shown} is a PDF that cannot be read (${fault ?? 'it has no pages'}).`);
  const lines = pages.flatMap((page, index) => [`# Page ${index + 1} of ${pageCount}`, ...page.split('\n'), '']);
  const isEmpty = pages.every((page) => page.trim() === '');
  const notes = [
    ...(isEmpty ? ['the pages have no text; they are probably scanned'] : []),
    ...(fault === undefined ? [] : [`not all pages were read: ${fault}`]),
  ];
  return { ok: true, output: pageOf(lines, part, shown, notes) };
}

/** Reads an office document; returns `undefined` if it is not one. */
export async function readOfficeText(bytes: Buffer, shown: string, part: Part, context: ToolContext): Promise<ToolOutcome | undefined> {
  const { readDocument } = await import('../documents/read-document.ts');
  const { type, text, note } = await readDocument(bytes, shown, context.signal);
  if (text !== undefined) return { ok: true, output: pageOf(text.split('\n'), part, shown, note === undefined ? [] : [note]) };
  if (note === undefined) return undefined;
  throw failure(`${shown} (${type}): ${note}.`);
}

/** Reads a notebook; returns `undefined` if it is not one. */
export function readNotebookText(text: string, shown: string, part: Part): ToolOutcome | undefined {
  const notebook = readNotebook(text);
  if (!notebook) return undefined;
  const { lines, images } = notebook;
  return { ok: true, output: pageOf(lines, part, shown, []), ...(images.length > 0 && part.first === 1 ? { images } : {}) };
}

function pageOf(lines: readonly string[], { first, count }: Part, shown: string, notes: readonly string[]): string {
  if (first > lines.length) throw failure(`${shown} has ${countWithNoun(lines.length, 'line')} as text; there is no line ${first}.`);
  const chosen: string[] = [];
  let length = 0;
  for (const line of lines.slice(first - 1, first - 1 + count)) {
    const short = line.length > maxLine ? `${textStart(line, maxLine)}…` : line;
    length += short.length + 1;
    if (length > maxChars && chosen.length > 0) break;
    chosen.push(short);
  }
  const last = first + chosen.length - 1;
  const all = [...notes, ...(last < lines.length ? [`lines ${first} to ${last} of ${lines.length} as text; next: offset ${last + 1}`] : [])];
  return all.length === 0 ? chosen.join('\n') : `${chosen.join('\n')}\n\n[${all.join('; ')}]`;
}
