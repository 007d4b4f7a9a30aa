// A planned change of one file: worked out without touching anything, shown in previews, then carried out.
import { readFileSync } from 'node:fs';
import { openDecided, type CallPlace, type DecidedPlace } from './decisions.ts';
import { failure } from './failure.ts';
import type { EditFileArgs, WriteFileArgs } from './inputs.ts';
import { applyEdits } from './apply-edits.ts';
import { applyPatchText } from './apply-patch.ts';
import type { FilePorts } from './ports.ts';
import { refuseNonFile } from './refuse-non-file.ts';

export interface Change {
  readonly target: DecidedPlace;
  readonly content: Buffer;
  /** What is there now; left out for a new file. */
  readonly previous?: Buffer;
}

const maxEditBytes = 16 * 1024 * 1024;
const maxKeptBytes = 256 * 1024 * 1024;

export async function planWrite(args: WriteFileArgs, place: CallPlace, ports: FilePorts): Promise<Change> {
  const target = locateForWriting(args.path, place, ports);
  const content = Buffer.from(args.content, 'utf8');
  if (!target.stats) return { target, content };
  if (args.mode === 'create')
    throw failure(`${target.shown} exists already, so it was not created.`, 'Use edit_file to change it, or mode overwrite to replace it.');
  const previous = readPrevious(target, maxKeptBytes, ports);
  return { target, previous, content: args.mode === 'append' ? Buffer.concat([previous, content]) : content };
}

export async function planEdit(args: EditFileArgs, place: CallPlace, ports: FilePorts): Promise<Change> {
  if ((args.edits === undefined) === (args.patch === undefined)) throw failure('Give either edits or patch.');
  const target = locateForWriting(args.path, place, ports);
  if (!target.stats) throw failure(`There is no file ${target.shown}.`, 'Look with find_files, or make it with write_file.');
  const previous = readPrevious(target, maxEditBytes, ports);
  const { text, bom } = decode(previous, target.shown);
  const edited = args.edits ? applyEdits(text, args.edits, target.shown) : await applyPatchText(text, args.patch ?? '', target.shown);
  if (edited === text) throw failure(`The change leaves ${target.shown} as it is.`);
  return { target, previous, content: Buffer.from(bom + edited, 'utf8') };
}

/** A link is written through only where its target is inside the workspace; elsewhere the target must be named itself. */
function locateForWriting(path: string, place: CallPlace, { decisions }: FilePorts): DecidedPlace {
  const target = decisions.recall(place, path);
  if (target.isLink && !target.isInside)
    throw failure(`${path} is a symbolic link that leads out of the workspace, to ${target.path}.`, 'Name the file itself.');
  if (!target.stats) {
    if (/[/\\]$/.test(path)) throw failure(`${path} names a folder.`, 'Give the path of a file.');
    return target;
  }
  refuseNonFile(target.stats, target.shown);
  // A rename would get round it.
  if ((target.stats.mode & 0o222) === 0) throw failure(`${target.shown} is read-only.`);
  return target;
}

function readPrevious(target: DecidedPlace, limit: number, { exactFiles }: FilePorts): Buffer {
  const opened = openDecided(target, exactFiles);
  try {
    if (opened.stats.size > limit) throw failure(`${target.shown} is larger than ${limit / 1024 / 1024} MB, which is too large for this tool.`);
    return readFileSync(opened.descriptor);
  } finally {
    exactFiles.close(opened);
  }
}

/** Text without its byte order mark; bytes that are no UTF-8 would not survive, so they are refused. */
export function decode(bytes: Buffer, shown: string): { readonly text: string; readonly bom: string } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    if (text.includes('\0')) throw failure(`${shown} is binary.`);
    return text.startsWith('\uFEFF') ? { text: text.slice(1), bom: '\uFEFF' } : { text, bom: '' };
  } catch (fault) {
    if (fault instanceof TypeError) throw failure(`${shown} is not UTF-8 text, so editing would damage it.`);
    throw fault;
  }
}
