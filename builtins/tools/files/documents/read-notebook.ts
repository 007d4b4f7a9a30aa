// Converts a notebook (nbformat 3 and 4) to text, cell by cell, with sources and outputs.
import { textStart } from '#lib/text';
import { recordIn } from '#lib/values';
import type { ImagePart } from 'agent-harness/plugins/models';

export interface NotebookText {
  readonly lines: readonly string[];
  /** The first images in the outputs, in order. */
  readonly images: readonly ImagePart[];
}

interface Cell {
  readonly cell_type?: unknown;
  readonly source?: unknown;
  readonly input?: unknown;
  readonly outputs?: unknown;
}

interface Output {
  readonly output_type?: unknown;
  readonly text?: unknown;
  readonly data?: unknown;
  readonly ename?: unknown;
  readonly evalue?: unknown;
  readonly traceback?: unknown;
}

const maxImages = 4;
const maxImageChars = 5_600_000;
const maxOutputChars = 4_000;
const pictures = ['image/png', 'image/jpeg'];

/** Converts a notebook; returns `undefined` if the text is not a notebook. */
export function readNotebook(text: string): NotebookText | undefined {
  const cells = cellsOf(text);
  if (!cells) return undefined;
  const images: ImagePart[] = [];
  const lines = cells.flatMap((cell, index) => {
    const kind = typeof cell.cell_type === 'string' ? cell.cell_type : 'code';
    const source = joined(cell.source ?? cell.input);
    const outputs = listOf<Output>(cell.outputs).flatMap((output) => outputLines(output, images));
    return [`# Cell ${index + 1} (${kind})`, ...source.split('\n'), ...(outputs.length > 0 ? ['# Output', ...outputs] : []), ''];
  });
  return { lines, images };
}

function cellsOf(text: string): readonly Cell[] | undefined {
  const { cells, worksheets } = recordIn(text);
  if (Array.isArray(cells)) return listOf<Cell>(cells);
  return Array.isArray(worksheets) ? listOf<{ cells?: unknown }>(worksheets).flatMap((sheet) => listOf<Cell>(sheet.cells)) : undefined;
}

function outputLines(output: Output, images: ImagePart[]): string[] {
  if (output.output_type === 'error') return [`${joined(output.ename)}: ${joined(output.evalue)}`];
  const bundle = typeof output.data === 'object' && output.data !== null ? (output.data as Record<string, unknown>) : {};
  const type = pictures.find((one) => typeof bundle[one] === 'string');
  if (type !== undefined) return [keepImage(type, String(bundle[type]), images)];
  const text = joined(output.text ?? bundle['text/plain']);
  if (text === '') return [];
  return (text.length > maxOutputChars ? `${textStart(text, maxOutputChars)}\n[… ${text.length - maxOutputChars} more characters]` : text).split('\n');
}

function keepImage(mimeType: string, base64: string, images: ImagePart[]): string {
  if (images.length >= maxImages || base64.length > maxImageChars) return `[image, ${mimeType}, not shown]`;
  images.push({ mimeType, base64: base64.replace(/\s/g, '') });
  return `[image ${images.length}, ${mimeType}]`;
}

/** Joins a text, which a notebook stores as a string or as a list of lines. */
function joined(value: unknown): string {
  return Array.isArray(value) ? value.map((one) => (typeof one === 'string' ? one : '')).join('') : typeof value === 'string' ? value : '';
}

function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? value.filter((one): one is T => typeof one === 'object' && one !== null) : [];
}
