// Plans the change of one file without side effects. The plan is shown in previews and applied later.
import { readFileSync } from 'node:fs';
import type { TextHolder } from 'agent-harness/builtins/tools/files';
import { failure } from '#lib/errors';
import { readFromEditor, longestEditorText, type EditorFile } from '../editor-texts.ts';
import { openDecided, type CallPlace, type DecidedPlace } from '../paths/decisions.ts';
import type { EditFileArgs, WriteFileArgs } from '../inputs.ts';
import { applyEdits, lineEndingOf } from './apply-edits.ts';
import { applyPatchText } from './apply-patch.ts';
import type { FilePorts } from '../ports.ts';
import { refuseNonFile } from '../paths/refuse-non-file.ts';
import { decodeText, encodeText, textFormOf, type TextForm } from '../documents/text-form.ts';

export interface Change {
  readonly target: DecidedPlace;
  readonly content: Buffer;
  /** Current content, including unsaved changes in its holder; omitted for a new file. */
  readonly previous?: Buffer;
  /** The holder that writes the change. */
  readonly holder?: TextHolder;
  /** Set if {@link Change.previous} differs from the content on disk. */
  readonly isUnsaved?: true;
}

/** Context of a planned change: a call, or its preview. */
export type ChangePlace = CallPlace & EditorFile & { readonly signal?: AbortSignal };

const maxEditBytes = 16 * 1024 * 1024;
const maxKeptBytes = 256 * 1024 * 1024;

export async function planWrite(args: WriteFileArgs, place: ChangePlace, ports: FilePorts): Promise<Change> {
  const target = args.mode === 'create' ? locateNew(args.path, place, ports) : locateForWriting(args.path, place, ports);
  const there = await findPrevious(target, maxKeptBytes, place, ports);
  const { previous } = there;
  const isAppended = args.mode === 'append';
  if (previous && !isAppended) refuseStale(target, previous, place, ports);
  const content = inFormOf(previous, args.content, target.shown, isAppended);
  return handedOver({ target, ...there, content: isAppended && previous ? Buffer.concat([previous, content]) : content });
}

/** Refuses to overwrite content that the chat has not seen. */
function refuseStale({ path, shown }: DecidedPlace, previous: Buffer, { chatId }: EditorFile, { seenFiles }: FilePorts): void {
  if (!seenFiles.isStale(chatId, path, previous)) return;
  throw failure(`${shown} changed since this chat last read or wrote it; it was not replaced.`, 'Reread it and keep the changes, or use edit_file.');
}

/** Encodes text like the existing content: with its byte order mark and its most frequent line ending. */
function inFormOf(previous: Buffer | undefined, text: string, shown: string, isAppended: boolean): Buffer {
  const form = previous && previous.length > 0 && previous.length <= maxEditBytes ? textFormOf(previous, false) : undefined;
  if (!previous || !form || form.isDamaged) return Buffer.from(text, 'utf8');
  const plain = text.replace(/^\uFEFF/, '');
  const isCrlf = !text.includes('\r\n') && lineEndingOf(decodeText(previous, form)) === '\r\n';
  const ended = isCrlf ? plain.replaceAll('\n', '\r\n') : plain;
  return encode(ended, isAppended ? { ...form, mark: 0 } : form, shown);
}

/** Returns the location of a new file. Throws a failure if something exists there. */
export function locateNew(path: string, place: CallPlace, ports: FilePorts): DecidedPlace {
  const target = locateForWriting(path, place, ports);
  if (!target.stats) return target;
  throw failure(`${target.shown} already exists; it was not created.`, 'Use edit_file to change it, or mode overwrite to replace it.');
}

export async function planEdit(args: EditFileArgs, place: ChangePlace, ports: FilePorts): Promise<Change> {
  if ((args.edits === undefined) === (args.patch === undefined)) throw failure('Pass either edits or patch.');
  const target = locateForWriting(args.path, place, ports);
  if (!target.stats) throw failure(`There is no file ${target.shown}.`, 'Use find_files, or create it with write_file.');
  const there = await findPrevious(target, maxEditBytes, place, ports);
  const previous = there.previous ?? Buffer.alloc(0);
  const { text, form } = decode(previous, target.shown);
  const edited = args.edits ? applyEdits(text, args.edits, target.shown) : await applyPatchText(text, args.patch ?? '', target.shown, args.path);
  if (edited === text) throw failure(`The edit does not change ${target.shown}.`);
  return handedOver({ target, ...there, content: encode(edited, form, target.shown) });
}

/** Returns the current content, and the holder that will write the change. */
async function findPrevious(
  target: DecidedPlace,
  limit: number,
  place: ChangePlace,
  ports: FilePorts,
): Promise<Pick<Change, 'previous' | 'holder' | 'isUnsaved'>> {
  const holder = ports.heldTexts.holderOf(place, target);
  const by = holder?.writes ? { holder } : {};
  if (!target.stats) return by;
  const saved = readPrevious(target, limit, ports);
  const form = saved.length > longestEditorText ? undefined : textFormOf(saved, false);
  // A holder accepts only UTF-8 text.
  if (form?.encoding !== 'utf-8' || form.isDamaged) return { previous: saved };
  if (!holder?.reads) return { previous: saved, ...by };
  const text = await readFromEditor(holder, target, place.signal);
  if (plainly(text) === plainly(saved.toString('utf8'))) return { previous: saved, ...by };
  if (!holder.writes) throw failure(`${target.shown} has unsaved changes in ${holder.name}, which accepts none from here.`, 'Ask the user to save the file.');
  return { previous: Buffer.from(text, 'utf8'), isUnsaved: true, ...by };
}

/** Returns the text as editors compare it: with uniform line endings and without a byte order mark. */
const plainly = (text: string): string => text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');

/** Checks that the holder can write the change, because it accepts only text. */
function handedOver({ holder, ...change }: Change): Change {
  const isText = change.content.length <= longestEditorText && !change.content.includes(0);
  if (holder && isText) return { ...change, holder };
  if (change.isUnsaved)
    throw failure(`${change.target.shown} has unsaved changes, and the new content is too large to hand over.`, 'Ask the user to save the file.');
  return change;
}

/** Resolves a path for writing. Follows a link only if its target is in the workspace; otherwise, the call must name the target itself. */
function locateForWriting(path: string, place: CallPlace, { decisions }: FilePorts): DecidedPlace {
  const target = decisions.recall(place, path);
  if (target.isLink && !target.isInside) throw failure(`${path} is a symbolic link out of the workspace, to ${target.path}.`, 'Use the file itself.');
  if (!target.stats) {
    if (/[/\\]$/.test(path)) throw failure(`${path} is a folder.`, 'Pass a file path.');
    return target;
  }
  refuseNonFile(target.stats, target.shown);
  // A rename would circumvent the permission.
  if ((target.stats.mode & 0o222) === 0) throw failure(`${target.shown} is read-only.`);
  return target;
}

function readPrevious(target: DecidedPlace, limit: number, { exactFiles }: FilePorts): Buffer {
  const opened = openDecided(target, exactFiles);
  try {
    if (opened.stats.size > limit) throw failure(`${target.shown} is larger than ${limit / 1024 / 1024} MB, too large for this tool.`);
    return readFileSync(opened.descriptor);
  } finally {
    exactFiles.close(opened);
  }
}

/** Returns the text with its encoding. Throws for bytes that an edit would not preserve. */
export function decode(bytes: Buffer, shown: string): { readonly text: string; readonly form: TextForm } {
  const form = textFormOf(bytes, false);
  if (!form) throw failure(`${shown} is binary.`);
  if (form.isDamaged) throw failure(`${shown} is not valid text; editing would damage it.`);
  const text = decodeText(bytes, form);
  // Encoding must reproduce the bytes, because these encodings have several codes for some characters.
  if (!form.encoding.startsWith('utf') && encodeText(text, form)?.equals(bytes) !== true)
    throw failure(`${shown} has bytes that are invalid in ${form.encoding.toUpperCase()}; editing would damage it.`);
  return { text, form };
}

function encode(text: string, form: TextForm, shown: string): Buffer {
  const bytes = encodeText(text, form);
  if (!bytes)
    throw failure(`${shown} is encoded in ${form.encoding}, which lacks a character of the new text.`, 'Use other characters, or rewrite the file as UTF-8.');
  return bytes;
}
