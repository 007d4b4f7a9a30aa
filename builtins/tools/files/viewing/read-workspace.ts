// Reads folders and files of a workspace for viewers. Nothing outside the workspace and no files of the product can be read.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isUtf8 } from 'node:buffer';
import { hasCode, isFailure, isMissing } from '#lib/errors';
import { sha256 } from '#lib/hash';
import { locate, realHome, type Located } from '../paths/locate.ts';
import type { FilePorts } from '../ports.ts';
import { walk } from '../search/walk.ts';
import type { ViewProblem } from './view-problem.ts';

export interface LookParts {
  readonly ports: Pick<FilePorts, 'home' | 'exactFiles'>;
  error(reason: ViewProblem, details?: Readonly<Record<string, unknown>>): Error;
}

export interface FolderEntry {
  name: string;
  kind: 'file' | 'folder';
  bytes?: number;
  isIgnored?: boolean;
}

const maxEntries = 1_000;
/** Maximum size of a viewed file in bytes. */
const maxBytes = 10 * 1024 * 1024;

/** Lists a folder. An unused chat has no folder of its own yet; its folder counts as empty. */
export async function listFolder(
  workspaceRoot: string,
  path: string,
  { ports, error, signal }: LookParts & { readonly signal: AbortSignal },
): Promise<{ entries: FolderEntry[]; more: number }> {
  const place = placeOf(workspaceRoot, path, { ports, error });
  if (!place?.stats) {
    if (path === '.' || path === '') return { entries: [], more: 0 };
    throw error('NO_FILE', { path });
  }
  if (!place.stats.isDirectory()) throw error('NO_FILE', { path });
  const root = placeOf(workspaceRoot, '.', { ports, error })?.path ?? place.path;
  const { exactFiles } = ports;
  const look = async (showIgnored: boolean): Promise<Map<string, FolderEntry['kind']>> => {
    const found = new Map<string, FolderEntry['kind']>();
    const options = { root, forbidden: realHome(ports.home), showIgnored, maxDepth: 1, wants: () => true, signal };
    await walk(place.path, { ...options, ...exactFiles }, ({ kind, name }) => {
      if (kind === 'file' || kind === 'folder') found.set(name, kind);
      return true;
    });
    return found;
  };
  const [all, wanted] = [await look(true), await look(false)];
  const names = [...all.keys()].sort((a, b) => Number(all.get(b) === 'folder') - Number(all.get(a) === 'folder') || (a < b ? -1 : 1));
  const entries = names.slice(0, maxEntries).flatMap((name): FolderEntry[] => {
    const kind = all.get(name) ?? 'file';
    const bytes = kind === 'file' ? sizeOf(join(place.path, name), exactFiles) : undefined;
    return [{ name, kind, ...(bytes === undefined ? {} : { bytes }), ...(wanted.has(name) ? {} : { isIgnored: true }) }];
  });
  return { entries, more: Math.max(0, names.length - maxEntries) };
}

export interface ViewedFile {
  readonly bytes: Buffer;
  readonly isText: boolean;
  /** Text that stays the same while the bytes are unchanged. */
  readonly tag: string;
}

/** Reads a file. Throws `NO_FILE`, `OUTSIDE` or `TOO_LARGE`. */
export function readViewed(workspaceRoot: string, path: string, { ports, error }: LookParts): ViewedFile {
  const place = placeOf(workspaceRoot, path, { ports, error });
  if (!place?.stats?.isFile()) throw error('NO_FILE', { path });
  try {
    const opened = ports.exactFiles.open(place.path, place.stats);
    try {
      if (!opened.stats.isFile()) throw error('NO_FILE', { path });
      if (opened.stats.size > maxBytes) throw error('TOO_LARGE', { path, bytes: opened.stats.size });
      const bytes = readFileSync(opened.descriptor);
      return { bytes, isText: !bytes.includes(0) && isUtf8(bytes), tag: sha256(bytes) };
    } finally {
      ports.exactFiles.close(opened);
    }
  } catch (fault) {
    if (isMissing(fault) || hasCode(fault, 'EMOVED', 'ELOOP')) throw error('NO_FILE', { path });
    throw fault;
  }
}

/** Reads a file like {@link readViewed}; returns `undefined` if that throws. */
export function peekViewed(workspaceRoot: string, path: string, parts: LookParts): Buffer | undefined {
  try {
    return readViewed(workspaceRoot, path, parts).bytes;
  } catch {
    return undefined;
  }
}

/** Resolves a path; returns `undefined` if the workspace itself is missing. */
function placeOf(workspaceRoot: string, path: string, { ports, error }: LookParts): Located | undefined {
  let place: Located;
  try {
    place = locate(path, workspaceRoot, ports);
  } catch (fault) {
    if (isMissing(fault)) return undefined;
    if (isFailure(fault)) throw error('OUTSIDE', { path });
    throw fault;
  }
  if (!place.isInside) throw error('OUTSIDE', { path });
  return place;
}

function sizeOf(path: string, { stat }: FilePorts['exactFiles']): number | undefined {
  try {
    return stat(path).size;
  } catch {
    return undefined; // removed or moved in the meantime
  }
}
