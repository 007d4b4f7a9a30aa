// A planned change of one file: worked out without touching anything, shown in previews, then carried out.
import { readFileSync } from 'node:fs';
import { failure } from 'agent-harness/lib/errors';
import { openDecided, type CallPlace, type DecidedPlace } from '../paths/decisions.ts';
import type { EditFileArgs, WriteFileArgs } from '../inputs.ts';
import { applyEdits } from './apply-edits.ts';
import { applyPatchText } from './apply-patch.ts';
import type { FilePorts } from '../ports.ts';
import { refuseNonFile } from '../paths/refuse-non-file.ts';
import { decodeText, encodeText, textFormOf, type TextForm } from '../documents/text-form.ts';

export interface Change {
  readonly target: DecidedPlace;
  readonly content: Buffer;
  /** What is there now; left out for a new file. */
  readonly previous?: Buffer;
}

const maxEditBytes = 16 * 1024 * 1024;
const maxKeptBytes = 256 * 1024 * 1024;

export async function planWrite(args: WriteFileArgs, place: CallPlace, ports: FilePorts): Promise<Change> {
  if (args.mode === 'create') return { target: locateNew(args.path, place, ports), content: Buffer.from(args.content, 'utf8') };
  const target = locateForWriting(args.path, place, ports);
  const content = Buffer.from(args.content, 'utf8');
  if (!target.stats) return { target, content };
  const previous = readPrevious(target, maxKeptBytes, ports);
  return { target, previous, content: args.mode === 'append' ? Buffer.concat([previous, appended(previous, args.content, target.shown)]) : content };
}

/** In the encoding of what is there already. */
function appended(previous: Buffer, text: string, shown: string): Buffer {
  const form = textFormOf(previous, false);
  return form && form.encoding !== 'utf-8' ? encode(text, { ...form, mark: 0 }, shown) : Buffer.from(text, 'utf8');
}

/** Where a file is about to be made; a failure where something is there already. */
export function locateNew(path: string, place: CallPlace, ports: FilePorts): DecidedPlace {
  const target = locateForWriting(path, place, ports);
  if (!target.stats) return target;
  throw failure(`${target.shown} exists already, so it was not created.`, 'Use edit_file to change it, or mode overwrite to replace it.');
}

export async function planEdit(args: EditFileArgs, place: CallPlace, ports: FilePorts): Promise<Change> {
  if ((args.edits === undefined) === (args.patch === undefined)) throw failure('Give either edits or patch.');
  const target = locateForWriting(args.path, place, ports);
  if (!target.stats) throw failure(`There is no file ${target.shown}.`, 'Look with find_files, or make it with write_file.');
  const previous = readPrevious(target, maxEditBytes, ports);
  const { text, form } = decode(previous, target.shown);
  const edited = args.edits ? applyEdits(text, args.edits, target.shown) : await applyPatchText(text, args.patch ?? '', target.shown);
  if (edited === text) throw failure(`The change leaves ${target.shown} as it is.`);
  return { target, previous, content: encode(edited, form, target.shown) };
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

/** A text and how it is written down; bytes that would not survive an edit are refused. */
export function decode(bytes: Buffer, shown: string): { readonly text: string; readonly form: TextForm } {
  const form = textFormOf(bytes, false);
  if (!form) throw failure(`${shown} is binary.`);
  if (form.isDamaged) throw failure(`${shown} is neither UTF-8 nor another text, so editing would damage it.`);
  return { text: decodeText(bytes, form), form };
}

function encode(text: string, form: TextForm, shown: string): Buffer {
  const bytes = encodeText(text, form);
  if (!bytes)
    throw failure(
      `${shown} is written in ${form.encoding}, which has no sign for a character of the new text.`,
      'Use other characters, or write the file anew as UTF-8.',
    );
  return bytes;
}
