// Implements the contribution point `undoable`: gives plugin state one interface, whether the plugin or the server reads it.
import { isAbsolute, join, normalize } from 'node:path';
import type { PointHandler } from 'agent-harness/kernel';
import { isWithin } from '#lib/paths';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { UndoPlace, Undoable } from './contract.ts';
import { readState } from './file-state.ts';

/** Maximum size of a value in bytes. */
export const maxStateBytes = 8 * 1024 * 1024;
const maxFiles = 100;
/** Prefix of values that are not text; these values are not merged by line. */
const binaryMark = '\0base64:';

export interface KeptUndoable
  extends Required<Pick<Undoable, 'read' | 'restore' | 'label'>>, Pick<Undoable, 'name' | 'merge' | 'volatile' | 'keys' | 'restored'> {
  readonly owner: string;
}

export interface Undoables {
  readonly point: PointHandler<Undoable>;
  find(name: string): KeptUndoable | undefined;
  /** Returns the undoables whose keys the plugin's own tools may change. */
  watchedOf(plugin: string): readonly KeptUndoable[];
}

/** @param dataFolder returns the data folder of a plugin */
export function createUndoables(exactFiles: ExactFiles, dataFolder: (plugin: string) => string): Undoables {
  const kept = new Map<string, KeptUndoable>();
  const watched = new Map<string, KeptUndoable[]>();

  return {
    point: {
      validate(item) {
        const why = whyUnfit(item);
        if (why !== undefined) return why;
        return kept.has(item.name) ? `an undoable '${item.name}' is already registered.` : undefined;
      },
      added(item, owner) {
        const one = keep(item, owner);
        kept.set(item.name, one);
        if (one.keys) watched.set(owner, [...(watched.get(owner) ?? []), one]);
      },
      removed({ name }, owner) {
        kept.delete(name);
        const left = (watched.get(owner) ?? []).filter((one) => one.name !== name);
        if (left.length > 0) watched.set(owner, left);
        else watched.delete(owner);
      },
    },
    find: (name) => kept.get(name),
    watchedOf: (plugin) => watched.get(plugin) ?? [],
  };

  function keep(item: Undoable, owner: string): KeptUndoable {
    const { name, title, files, merge, volatile, keys, restored } = item;
    const label = (key: string): string => item.label?.(key) ?? `${title} ${key}`;
    const own = files ? fileAccess(exactFiles, () => dataFolder(owner), files) : { read: item.read, restore: item.restore, keys };
    return {
      ...{ name, owner, label },
      // Called as a method, because a plugin may use `this`.
      read: (key, place) => own.read?.call(item, key, place) ?? null,
      restore: (key, change, place) => own.restore?.call(item, key, change, place) ?? false,
      ...(own.keys ? { keys: own.keys.bind(item) } : {}),
      ...(volatile ? { volatile } : {}),
      ...(merge ? { merge: merge.bind(item) } : {}),
      ...(restored ? { restored: restored.bind(item) } : {}),
    };
  }
}

function whyUnfit({ name, title, files, read, restore, keys }: Undoable): string | undefined {
  if (typeof name !== 'string' || !/^[a-z][a-z0-9_]{0,39}$/.test(name)) return `the name '${name}' of an undoable must be snake_case.`;
  if (typeof title !== 'string' || title.trim() === '') return `the undoable '${name}' needs a title, the display name of one item.`;
  if (files === undefined) {
    return typeof read === 'function' && typeof restore === 'function' ? undefined : `the undoable '${name}' needs files, or the functions read and restore.`;
  }
  if (read ?? restore ?? keys) return `the undoable '${name}' has files, so it must not have read, restore or keys.`;
  const isOwn = (file: unknown): boolean => typeof file === 'string' && file !== '' && !isAbsolute(file) && !/^\.\.([/\\]|$)/.test(normalize(file));
  if (!Array.isArray(files) || files.length === 0 || files.length > maxFiles || !files.every(isOwn)) {
    return `the files of the undoable '${name}' must be 1 to ${maxFiles} relative paths below the plugin's dataDir.`;
  }
  return undefined;
}

function fileAccess(
  exactFiles: ExactFiles,
  folder: () => string,
  files: readonly string[],
): { read: NonNullable<Undoable['read']>; restore: NonNullable<Undoable['restore']>; keys: NonNullable<Undoable['keys']> } {
  const pathOf = (key: string): string => {
    const path = join(folder(), key);
    if (!isWithin(folder(), path)) throw new Error(`${key} is not below the folder of its plugin.`);
    return path;
  };
  async function read(key: string): Promise<string | null> {
    const state = await readState(pathOf(key), exactFiles).catch(() => ({ kind: 'none' }) as const); // a missing folder means that the file is missing
    if (state.kind === 'other') throw new Error(`${key} is not a regular file at its own path.`);
    if (state.kind === 'none') return null;
    const text = state.content.toString('utf8');
    return Buffer.from(text).equals(state.content) && !text.startsWith(binaryMark) ? text : `${binaryMark}${state.content.toString('base64')}`;
  }
  return {
    read,
    keys: () => files,
    async restore(key, { from, to }, _place: UndoPlace) {
      if ((await read(key)) !== from) return false;
      if (to === null) await exactFiles.remove(pathOf(key));
      else await exactFiles.replace(pathOf(key), to.startsWith(binaryMark) ? Buffer.from(to.slice(binaryMark.length), 'base64') : Buffer.from(to));
      return true;
    },
  };
}
