// Writes vault notes one at a time. Replaces only notes of the program, and never overwrites text of the user.
import { lstat, mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createSerialQueue } from '#lib/async';
import { explainFault, failure } from '#lib/errors';
import { sha256 } from '#lib/hash';
import { textStart } from '#lib/text';
import type { KeptText } from 'agent-harness/builtins/turn/why';
import type { ToolContext } from 'agent-harness/plugins/tools';
import { openLedger } from '../notes/ledger.ts';
import { decodeNote, maxNoteBytes } from '../notes/note-file.ts';
import { renderNote, splitFrontMatter, stemOf } from '../notes/parse-note.ts';
import { locateForWriting, ownPrefix, refuseLinks, type Place, type Root } from '../notes/place.ts';
import type { VaultPorts } from '../ports.ts';
import { conflictFolder } from '../notes/walk-notes.ts';

export type WriteMode = 'create' | 'append' | 'replace';

export interface NoteDraft {
  readonly path: string;
  /** `put`: creates a note, or replaces a note that the program wrote. `add`: creates a note, or appends to it. */
  readonly mode: WriteMode | 'put' | 'add';
  readonly title?: string;
  /** Text in Markdown, optionally with front matter. */
  readonly content: string;
  readonly frontMatter?: Readonly<Record<string, unknown>>;
  /** Whether the text may contain external content that has not been reviewed yet. */
  readonly isForeign: boolean;
  /** The call that writes the note, so that an undo can revert it. */
  readonly call?: Pick<ToolContext, 'chatId' | 'turnId' | 'callId'>;
}

export interface WrittenNote {
  readonly path: string;
  readonly done: WriteMode;
  /** Path of a copy of the user's version. */
  readonly conflictCopy?: string;
}

export interface NoteWriter {
  /** Writes a note. Rejects with a failure if that is not permitted. */
  write(draft: NoteDraft): Promise<WrittenNote>;
  /** Returns the current note without its front matter; `undefined` if it is missing. */
  look(path: string): Promise<KeptText | undefined>;
  /** Deletes a note that the program wrote and that is unchanged since. Resolves with whether it was deleted. */
  remove(path: string, fits: Fits): Promise<boolean>;
}

/** Returns whether a note is the requested one. */
export type Fits = (note: Pick<Current, 'frontMatter' | 'version'>) => boolean;

const mark = 'agent-harness';
const fileMode = 0o644;

interface Current {
  readonly text: string;
  readonly frontMatter: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Hash of all bytes of the note. */
  readonly version: string;
  /** Whether the program created the note and it is unchanged since. */
  readonly isOurs: boolean;
  /** Whether the program made the last change, possibly by appending to the user's text. */
  readonly isKnown: boolean;
}

export function createNoteWriter(root: Root, ports: VaultPorts): NoteWriter {
  const ledger = openLedger(ports.storage, ports.ownFolder, root.path);
  const queue = createSerialQueue();

  async function writeNow(draft: NoteDraft): Promise<WrittenNote> {
    const place = await locateForWriting(root, draft.path);
    const current = place.stats && (await readCurrent(place));
    const mode = modeFor(draft.mode, current);
    refuseMode({ ...draft, mode }, place, current);
    if (!current) {
      await save(place, createdNote(draft), draft);
      return { path: place.path, done: 'create' };
    }
    if (mode === 'append' && !current.isOurs) return appendToForeign(draft, place, current);
    await save(place, mode === 'append' ? appendedNote(draft, current) : replacedNote(draft, current), draft);
    return { path: place.path, done: mode };
  }

  /** Preserves the user's text in the note, stores a copy of that text, and appends the program's text. */
  async function appendToForeign(draft: NoteDraft, place: Place, current: Current): Promise<WrittenNote> {
    if (current.isKnown) {
      await save(place, joinTexts(current.text, draft.content), draft, 'mixed');
      return { path: place.path, done: 'append' };
    }
    const stamp = new Date().toISOString().replaceAll(/[:.Z]/g, '').replace('T', ' ');
    const copy = await locateForWriting(root, `${conflictFolder}/${textStart(stemOf(place.path), 60)} ${stamp}.md`);
    if (copy.stats) throw failure(`${copy.path} already exists, so ${place.path} was not changed.`, 'Try again.');
    await save(copy, current.text, draft, 'mixed');
    await save(place, joinTexts(current.text, draft.content), draft, 'mixed');
    return { path: place.path, done: 'append', conflictCopy: copy.path };
  }

  async function readCurrent(place: Place): Promise<Current> {
    if ((place.stats?.size ?? 0) > maxNoteBytes) throw failure(`${place.path} is larger than ${maxNoteBytes / 1024 / 1024} MB and was not changed.`);
    const bytes = await readFile(place.absolute).catch((fault: unknown) => {
      throw explainFault(fault, place.path);
    });
    const text = decodeNote(bytes, place.path);
    const { frontMatter, body } = splitFrontMatter(text);
    const version = sha256(bytes);
    return { text, frontMatter, body, version, isOurs: frontMatter['made_by'] === mark && (await ledger.isOurs(bytes)), isKnown: await ledger.isKnown(bytes) };
  }

  async function save(place: Place, text: string, { call }: NoteDraft, how: 'own' | 'mixed' = 'own'): Promise<void> {
    const content = Buffer.from(text, 'utf8');
    if (content.length > maxNoteBytes) throw failure(`${place.path} would be larger than ${maxNoteBytes / 1024 / 1024} MB and was not written.`);
    const checkpoints = call && ports.checkpoints();
    await ledger.add(place.path, content, how);
    if (call) await checkpoints?.before(call, place.absolute, content);
    try {
      await mkdir(dirname(place.absolute), { recursive: true });
      await refuseLinks(root, place.absolute, place.path);
      await refuseChanged(place);
      await ports.storage.writeFile(place.absolute, content, { mode: place.stats ? place.stats.mode & 0o777 : fileMode });
    } catch (fault) {
      if (call) await checkpoints?.cancel(call, place.absolute);
      throw explainFault(fault, place.path);
    }
  }

  async function look(path: string): Promise<KeptText | undefined> {
    const place = await locateForWriting(root, path);
    const current = place.stats && (await readCurrent(place));
    return current && { text: current.body, version: current.version, isPersons: !current.isOurs };
  }

  async function removeNow(path: string, fits: Fits): Promise<boolean> {
    const place = await locateForWriting(root, path);
    const current = place.stats && (await readCurrent(place));
    if (!current?.isOurs || !fits(current)) return false;
    await refuseChanged(place);
    await ports.storage.remove(place.absolute);
    return true;
  }

  return {
    look,
    write: (draft) => queue.run(() => writeNow(draft)),
    remove: (path, fits) => queue.run(() => removeNow(path, fits)),
  };
}

/** Throws a failure if the file changed between read and write. */
async function refuseChanged({ absolute, path, stats }: Place): Promise<void> {
  const now = await lstat(absolute).catch(() => undefined); // a missing file is a valid state
  if (now?.mtimeMs !== stats?.mtimeMs || now?.size !== stats?.size) throw failure(`${path} was just changed by another program.`, 'Read it again.');
}

function modeFor(mode: NoteDraft['mode'], current: Current | undefined): WriteMode {
  if (mode === 'put') return current ? 'replace' : 'create';
  if (mode === 'add') return current ? 'append' : 'create';
  return mode;
}

function refuseMode(draft: NoteDraft & { readonly mode: WriteMode }, place: Place, current: Current | undefined): void {
  const { path } = place;
  const isInPrefix = path.startsWith(ownPrefix);
  if (!current) {
    if (!isInPrefix)
      throw failure(`New notes must be under ${ownPrefix}; ${path} was not created.`, `Use a path such as ${ownPrefix}notes/${stemOf(path)}.md.`);
    if (draft.mode !== 'create') throw failure(`There is no note ${path} to change.`, 'Use mode create.');
    return;
  }
  if (((place.stats?.mode ?? 0) & 0o222) === 0) throw failure(`${path} is read-only.`);
  const isMade = current.frontMatter['made_by'] === mark;
  if (!isInPrefix && !isMade) throw failure(`${path} is the user's note and cannot be changed.`, `Create your own note under ${ownPrefix} that links to it.`);
  if (draft.mode === 'create') throw failure(`Note ${path} already exists.`, 'Use mode append to add to it, or replace to rewrite it.');
  if (draft.mode === 'replace' && !current.isOurs) {
    throw failure(`${path} was written or changed by the user; it was not replaced.`, 'Use mode append, or add another note that links to it.');
  }
  if (draft.isForeign && !current.isOurs) {
    throw failure(`${path} was written or changed by the user; external content cannot be added.`, `Create your own note under ${ownPrefix}.`);
  }
}

function createdNote(draft: NoteDraft): string {
  const { given, body } = partsOf(draft);
  const now = new Date().toISOString();
  return renderNote({ title: draft.title, ...given, ...draft.frontMatter, ...ownFields(draft, given), created: now, updated: now }, body);
}

function replacedNote(draft: NoteDraft, current: Current): string {
  const { given, body } = partsOf(draft);
  const { created } = current.frontMatter;
  const kept = { ...current.frontMatter, title: draft.title ?? current.frontMatter['title'] };
  return renderNote({ ...kept, ...given, ...draft.frontMatter, ...ownFields(draft, current.frontMatter), created, updated: new Date().toISOString() }, body);
}

function appendedNote(draft: NoteDraft, current: Current): string {
  const front = { ...current.frontMatter, ...ownFields(draft, current.frontMatter), updated: new Date().toISOString() };
  return renderNote(front, joinTexts(current.body, splitFrontMatter(draft.content).body));
}

/** Returns the front matter fields that the program sets. An unreviewed note stays unreviewed until the user changes that. */
function ownFields({ isForeign }: NoteDraft, before: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isUnreviewed = isForeign || before['status'] === 'unreviewed';
  return { made_by: mark, ...(isUnreviewed ? { status: 'unreviewed' } : {}) };
}

function partsOf(draft: NoteDraft): { readonly given: Readonly<Record<string, unknown>>; readonly body: string } {
  const { frontMatter, fault, body } = splitFrontMatter(draft.content);
  if (fault !== undefined) throw failure(`The content was not written: ${fault}.`, 'Correct the lines between the --- markers, or omit them.');
  return { given: frontMatter, body };
}

/** Joins two texts with a blank line, using the line endings of the first. */
function joinTexts(first: string, second: string): string {
  const isCrlf = first.includes('\r\n');
  const joined = `${first.replace(/\s+$/, '')}\n\n${second.replaceAll('\r\n', '\n').trim()}\n`;
  return isCrlf ? joined.replace(/\r?\n/g, '\r\n') : joined;
}
