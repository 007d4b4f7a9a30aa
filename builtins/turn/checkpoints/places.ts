// Reads, writes and merges files and plugin state through one interface.
import { dirname } from 'node:path';
import { sha256 } from '#lib/hash';
import { isWithin, wayFrom } from '#lib/paths';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { UndoStep } from './checkpoint-log.ts';
import type { UndoPlace } from './contract.ts';
import { takenOut } from './file-diff.ts';
import { isMoved, readState, type FileState } from './file-state.ts';
import { mergeState } from './merge-state.ts';
import { maxStateBytes, type KeptUndoable, type Undoables } from './undoables.ts';

const statePrefix = 'state:';
const defaultMode = 0o644;

export type Contents = { readonly before: Buffer | null; readonly after: Buffer | null; readonly now: Buffer | null };

export interface Places {
  /** Reads the state of a path; returns `other` if the path currently cannot be used, or if the plugin that owns the state is missing. */
  read(place: UndoPlace, path: string): Promise<FileState>;
  /** Performs a step. Returns false if the current content is not the expected one. @param contents contents of the step, by hash */
  write(place: UndoPlace, step: UndoStep, contents: { readonly from: Buffer | null; readonly to: Buffer | null }): Promise<boolean>;
  /** Returns the content without one change, but with later changes; `undefined` if they conflict. */
  merge(path: string, contents: Contents): Promise<Buffer | null | undefined>;
  /** Notifies plugins that their state was restored. */
  notifyRestored(place: UndoPlace, paths: readonly string[]): Promise<void>;
  /** Returns the display name of a path or a state. */
  shown(place: UndoPlace, path: string, label?: string): string;
}

export function stateId(name: string, key: string): string {
  return `${statePrefix}${name}/${key}`;
}

export function isStateId(path: string): boolean {
  return path.startsWith(statePrefix);
}

export function partsOfId(path: string): { readonly name: string; readonly key: string } {
  const slash = path.indexOf('/');
  return { name: path.slice(statePrefix.length, slash), key: path.slice(slash + 1) };
}

/** Converts state to the same form as a file, so that both are stored in the same way. Throws if the state is too large. */
export function stateOf(text: string | null): FileState {
  if (text === null) return { kind: 'none' };
  const content = Buffer.from(text, 'utf8');
  if (content.length > maxStateBytes) throw new Error(`state of ${content.length} bytes exceeds the maximum of ${maxStateBytes} bytes`);
  return { kind: 'file', hash: sha256(content), content, mode: defaultMode };
}

/** @param failed called if a plugin fails to handle the notification */
export function createPlaces(exactFiles: ExactFiles, undoables: Pick<Undoables, 'find'>, failed: (name: string, fault: unknown) => void): Places {
  const ownerOf = (path: string): { readonly one: KeptUndoable | undefined; readonly key: string } => {
    const { name, key } = partsOfId(path);
    return { one: undoables.find(name), key };
  };

  async function readOwn(place: UndoPlace, path: string): Promise<FileState> {
    const { one, key } = ownerOf(path);
    if (!one) return { kind: 'other' };
    try {
      return stateOf(await one.read(key, place));
    } catch (fault) {
      failed(one.name, fault);
      return { kind: 'other' };
    }
  }

  async function writeFile(step: UndoStep, to: Buffer | null): Promise<boolean> {
    try {
      if (to !== null) await exactFiles.replace(step.path, to, { mode: step.mode ?? defaultMode });
      else {
        await exactFiles.remove(step.path);
        await removeEmptyFolders(dirname(step.path), step.madeFolder);
      }
      return true;
    } catch (fault) {
      // The folder was moved, or replaced with a link, after the file was read.
      if (isMoved(fault)) return false;
      throw fault;
    }
  }

  /** Removes empty folders, from `folder` up to the folder that the turn created. */
  async function removeEmptyFolders(folder: string, madeFolder: string | undefined): Promise<void> {
    if (madeFolder === undefined) return;
    for (let current = folder; isWithin(madeFolder, current); current = dirname(current)) {
      try {
        await exactFiles.removeFolder(current);
      } catch {
        return; // the folder is missing or not empty
      }
    }
  }

  return {
    read: (place, path) => (isStateId(path) ? readOwn(place, path) : readState(path, exactFiles)),
    async write(place, step, { from, to }) {
      if (!isStateId(step.path)) return writeFile(step, to);
      const { one, key } = ownerOf(step.path);
      return one ? one.restore(key, { from: textOf(from), to: textOf(to) }, place) : false;
    },
    async merge(path, { before, after, now }) {
      if (!isStateId(path)) return before && after && now ? takenOut(before, after, now) : undefined;
      const versions = { before: textOf(before), after: textOf(after), now: textOf(now) };
      const { one, key } = ownerOf(path);
      const merged = one?.merge ? await one.merge(key, versions) : await mergeState(versions, one?.volatile);
      return typeof merged === 'string' ? Buffer.from(merged, 'utf8') : merged;
    },
    async notifyRestored(place, paths) {
      const keys = new Map<KeptUndoable, string[]>();
      for (const path of paths) {
        const { one, key } = isStateId(path) ? ownerOf(path) : { one: undefined, key: '' };
        if (one?.restored) keys.set(one, [...(keys.get(one) ?? []), key]);
      }
      for (const [one, some] of keys) {
        try {
          await one.restored?.(some, place);
        } catch (fault) {
          failed(one.name, fault);
        }
      }
    },
    shown({ workspaceRoot }, path, label) {
      if (isStateId(path)) return label ?? path.slice(statePrefix.length);
      return isWithin(workspaceRoot, path) ? wayFrom(workspaceRoot, path) : path;
    },
  };
}

const textOf = (content: Buffer | null): string | null => (content === null ? null : content.toString('utf8'));
