// Implements the tool `read_file`: returns lines of text, converted documents, or images.
import { countWithNoun } from '#lib/text';
import { read, readSync } from 'node:fs';
import { promisify } from 'node:util';
import { failure } from '#lib/errors';
import type { TextHolder } from 'agent-harness/builtins/tools/files';
import mime from 'mime';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { readFromEditor, longestEditorText } from '../editor-texts.ts';
import { openDecided } from '../paths/decisions.ts';
import { kindOf, pdfType, sniffBytes, zipType, type FileKind } from '../documents/file-kind.ts';
import type { ReadFileArgs } from '../inputs.ts';
import { chunkBytes, readWindow, type FileBytes } from './line-window.ts';
import type { Located } from '../paths/locate.ts';
import type { FilePorts } from '../ports.ts';
import { attachmentIdOf, readAttachment } from './read-attachment.ts';
import { refuseNonFile } from '../paths/refuse-non-file.ts';
import { decodeText, encodingName, textFormOf, type TextForm } from '../documents/text-form.ts';

const defaultLines = 2000;
const maxLine = 2000;
const maxChars = 40_000;
const maxImageBytes = 4 * 1024 * 1024;
const maxPdfBytes = 50 * 1024 * 1024;
const maxOfficeBytes = 25 * 1024 * 1024;
const maxNotebookBytes = 20 * 1024 * 1024;
const countUpTo = 64 * 1024 * 1024;

const readLater = promisify(read);

export async function readFile(args: ReadFileArgs, context: ToolContext, ports: FilePorts): Promise<ToolOutcome> {
  const attachmentId = attachmentIdOf(args.path);
  if (attachmentId !== undefined) {
    return readAttachment(attachmentId, context, ports, (text, shown) =>
      showLines({ start: text, isWhole: true, read: () => Promise.resolve(0) }, args, context, shown),
    );
  }
  const located = ports.decisions.recall(context, args.path);
  if (!located.stats) throw failure(`There is no file ${located.shown}.`, 'Use list_dir or find_files.');
  refuseNonFile(located.stats, located.shown);
  const opened = openDecided(located, ports.exactFiles);
  try {
    return await readOpened(startReading(opened.descriptor, opened.stats.size), args, context, located, ports);
  } finally {
    ports.exactFiles.close(opened);
  }
}

/** Reads the first piece synchronously, which covers most files; the rest is read through the thread pool. */
function startReading(descriptor: number, size: number): FileBytes & { readonly size: number } {
  const buffer = Buffer.allocUnsafe(Math.max(sniffBytes, Math.min(size + 1, chunkBytes)));
  const bytesRead = readSync(descriptor, buffer, 0, buffer.length, 0);
  return {
    size,
    start: buffer.subarray(0, bytesRead),
    isWhole: bytesRead < buffer.length,
    read: async (into, position) => (await readLater(descriptor, into, 0, into.length, position)).bytesRead,
  };
}

async function readOpened(
  bytes: FileBytes & { readonly size: number },
  args: ReadFileArgs,
  context: ToolContext,
  located: Located,
  ports: FilePorts,
): Promise<ToolOutcome> {
  const { size } = bytes;
  const kind = kindOf(bytes.start.subarray(0, sniffBytes), () => mime.getType(located.path));
  const untrusted = located.isInside ? {} : { isUntrusted: true };
  const converted = await readConverted(bytes, kind, args, context, located);
  if (converted) return { ...converted, ...untrusted };
  if (kind.kind === 'binary') throw failure(`${located.shown} is binary (${kind.type}, ${sizeText(size)}) and not shown.`);
  if (kind.kind === 'image') {
    if (size > maxImageBytes) throw failure(`${located.shown} is an image of ${sizeText(size)}; up to ${sizeText(maxImageBytes)} can be shown.`);
    const whole = await readWhole(bytes, size);
    return {
      ok: true,
      output: `Image ${located.shown} (${kind.mimeType}, ${sizeText(size)}).`,
      images: [{ mimeType: kind.mimeType, base64: whole.toString('base64') }],
      ...untrusted,
    };
  }
  const form = textFormOf(bytes.start, !bytes.isWhole);
  if (bytes.isWhole) ports.seenFiles.note(context.chatId, located.path, bytes.start);
  const { holder, notes } = holderFor(form, size, context, located, ports);
  if (holder) {
    const held = wholeBytes(await readFromEditor(holder, located, context.signal));
    ports.seenFiles.note(context.chatId, located.path, held.start);
    return { ...(await showLines(held, args, context, located.shown)), ...untrusted };
  }
  const lines = form && form.encoding !== 'utf-8' ? await asUtf8(bytes, form, located.shown) : bytes;
  const encoding = form && encodingName(form);
  return { ...(await showLines(lines, args, context, located.shown, [...(encoding === undefined ? [] : [encoding]), ...notes])), ...untrusted };
}

/** Returns the holder that provides the text instead of the disk, or a note if the holder cannot provide it. */
function holderFor(
  form: TextForm | undefined,
  size: number,
  context: ToolContext,
  located: Located,
  { heldTexts }: FilePorts,
): { readonly holder?: TextHolder; readonly notes: readonly string[] } {
  const holder = heldTexts.holderOf(context, located);
  if (!holder?.reads) return { notes: [] };
  if (form?.encoding !== 'utf-8' || form.isDamaged) return { notes: [`as on disk; ${holder.name} is asked for UTF-8 only`] };
  if (size > longestEditorText) return { notes: [`as on disk; it is too large to ask ${holder.name}`] };
  return { holder, notes: [] };
}

const wholeBytes = (text: string): FileBytes => ({ start: Buffer.from(text, 'utf8'), isWhole: true, read: () => Promise.resolve(0) });

async function showLines(bytes: FileBytes, args: ReadFileArgs, context: ToolContext, shown: string, about: readonly string[] = []): Promise<ToolOutcome> {
  const first = args.offset ?? 1;
  const window = await readWindow(bytes, { first, count: args.limit ?? defaultLines, maxLine, maxChars, countUpTo, signal: context.signal });
  if (window.lines.length === 0 && window.total === 0) return { ok: true, output: `${shown} is empty.` };
  if (window.lines.length === 0) throw failure(`${shown} has ${countWithNoun(window.total ?? 0, 'line')}; there is no line ${first}.`);
  return {
    ok: true,
    output: pageText(window.lines, first, window.total, [...(window.hasCrlf ? ['line endings are CRLF'] : []), ...about]),
  };
}

async function asUtf8(bytes: FileBytes & { readonly size: number }, form: TextForm, shown: string): Promise<FileBytes> {
  if (bytes.size > countUpTo) throw failure(`${shown} is ${sizeText(bytes.size)} of text that is not UTF-8; up to ${sizeText(countUpTo)} can be read.`);
  return wholeBytes(decodeText(await readWhole(bytes, bytes.size), form));
}

/** Reads a file that needs conversion; returns `undefined` for files that are shown without conversion or not at all. */
async function readConverted(
  bytes: FileBytes & { readonly size: number },
  kind: FileKind,
  args: ReadFileArgs,
  context: ToolContext,
  { path, shown }: Located,
): Promise<ToolOutcome | undefined> {
  const { size } = bytes;
  const part = { first: args.offset ?? 1, count: args.limit ?? defaultLines };
  if (kind.kind === 'binary' && kind.type === pdfType) {
    if (size > maxPdfBytes) throw failure(`${shown} is a PDF of ${sizeText(size)}; up to ${sizeText(maxPdfBytes)} can be read.`);
    const { readPdfText } = await import('./read-converted.ts');
    return readPdfText(await readWhole(bytes, size), shown, part, context);
  }
  if (kind.kind === 'binary' && kind.type === zipType && size <= maxOfficeBytes) {
    const { readOfficeText } = await import('./read-converted.ts');
    return readOfficeText(await readWhole(bytes, size), shown, part, context);
  }
  if (kind.kind === 'text' && path.endsWith('.ipynb') && size <= maxNotebookBytes) {
    const { readNotebookText } = await import('./read-converted.ts');
    return readNotebookText((await readWhole(bytes, size)).toString('utf8'), shown, part);
  }
  return undefined;
}

function pageText(lines: readonly string[], first: number, total: number | undefined, about: readonly string[]): string {
  const last = first + lines.length - 1;
  const width = String(last).length;
  const notes: string[] = [];
  if (total === undefined || last < total) notes.push(`lines ${first} to ${last} of ${total ?? 'very many'}; next: offset ${last + 1}`);
  notes.push(...about);
  const body = lines.map((line, index) => `${String(first + index).padStart(width)}\t${line}`).join('\n');
  return notes.length === 0 ? body : `${body}\n\n[${notes.join('; ')}]`;
}

async function readWhole({ start, isWhole, read: readOn }: FileBytes, size: number): Promise<Buffer> {
  if (isWhole) return start;
  const bytes = Buffer.alloc(size);
  let position = start.copy(bytes);
  while (position < size) {
    const count = await readOn(bytes.subarray(position), position);
    if (count === 0) break;
    position += count;
  }
  return bytes.subarray(0, position);
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
