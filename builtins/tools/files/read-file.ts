// The tool read_file.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import mime from 'mime';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { codeOf, explain, failure } from './failure.ts';
import { kindOf, sniffBytes } from './file-kind.ts';
import type { ReadFileArgs } from './inputs.ts';
import { readWindow } from './line-window.ts';
import { locate, type Located } from './locate.ts';
import type { FilePorts } from './ports.ts';
import { refuseNonFile } from './refuse-non-file.ts';

const defaultLines = 2000;
const maxLine = 2000;
const maxChars = 40_000;
const maxImageBytes = 4 * 1024 * 1024;
const countUpTo = 64 * 1024 * 1024;

export async function readFile(args: ReadFileArgs, context: ToolContext, ports: FilePorts): Promise<ToolOutcome> {
  const located = await locate(args.path, context.workspaceRoot, ports.home);
  if (!located.stats) throw failure(`There is no file ${located.shown}.`, 'Look with list_dir or find_files.');
  refuseNonFile(located.stats, located.shown);
  const handle = await openForReading(located);
  try {
    // What was opened counts, not what stood there a moment ago.
    refuseNonFile(await handle.stat(), located.shown);
    return await readOpened(handle, args, context, located);
  } finally {
    await handle.close();
  }
}

/** Without waiting for a writer, should it have become a pipe. */
async function openForReading(located: Located): Promise<FileHandle> {
  try {
    return await open(located.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (fault) {
    if (codeOf(fault) === 'ENOENT') throw failure(`There is no file ${located.shown}.`);
    throw explain(fault, located.shown);
  }
}

async function readOpened(handle: FileHandle, args: ReadFileArgs, context: ToolContext, located: Located): Promise<ToolOutcome> {
  const start = Buffer.alloc(sniffBytes);
  const { bytesRead } = await handle.read(start, 0, sniffBytes, 0);
  const kind = kindOf(start.subarray(0, bytesRead), () => mime.getType(located.path));
  const untrusted = located.isInside ? {} : { isUntrusted: true };
  const { size } = await handle.stat();
  if (kind.kind === 'binary') throw failure(`${located.shown} is binary (${kind.type}, ${sizeText(size)}), so it is not shown.`);
  if (kind.kind === 'image') {
    if (size > maxImageBytes) throw failure(`${located.shown} is an image of ${sizeText(size)}; up to ${sizeText(maxImageBytes)} can be shown.`);
    const bytes = await readWhole(handle, size);
    return {
      ok: true,
      output: `Image ${located.shown} (${kind.mimeType}, ${sizeText(size)}).`,
      images: [{ mimeType: kind.mimeType, base64: bytes.toString('base64') }],
      ...untrusted,
    };
  }
  const first = args.offset ?? 1;
  const window = await readWindow(handle, { first, count: args.limit ?? defaultLines, maxLine, maxChars, countUpTo, signal: context.signal });
  if (window.lines.length === 0 && window.total === 0) return { ok: true, output: `${located.shown} is empty.`, ...untrusted };
  if (window.lines.length === 0) throw failure(`${located.shown} has ${window.total} lines; there is no line ${first}.`);
  return { ok: true, output: pageText(window.lines, first, window.total, window.hasCrlf), ...untrusted };
}

function pageText(lines: readonly string[], first: number, total: number | undefined, hasCrlf: boolean): string {
  const last = first + lines.length - 1;
  const width = String(last).length;
  const notes: string[] = [];
  if (total === undefined || last < total) notes.push(`lines ${first} to ${last} of ${total ?? 'very many'}; go on with offset ${last + 1}`);
  if (hasCrlf) notes.push('line endings are CRLF');
  const body = lines.map((line, index) => `${String(first + index).padStart(width)}\t${line}`).join('\n');
  return notes.length === 0 ? body : `${body}\n\n[${notes.join('; ')}]`;
}

async function readWhole(handle: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let position = 0;
  while (position < size) {
    const { bytesRead } = await handle.read(bytes, position, size - position, position);
    if (bytesRead === 0) break;
    position += bytesRead;
  }
  return bytes.subarray(0, position);
}

function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
