// What the files of plugins said about themselves and registered, kept so that none of them runs before somebody needs it.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { version } from '../../../package.json';
import type { PluginManifest } from 'agent-harness/kernel';
import { sha256 } from 'agent-harness/lib/hash';
import { isRecord } from 'agent-harness/lib/values';
import { nameOf } from '../plugin-trust.ts';
import type { Setting } from './guest-registry.ts';

/** What it registered with certain settings and services. */
export interface KeptRegistrations {
  /** Another one for each setting. */
  readonly setting: string;
  /** As they crossed. */
  readonly bytes: Uint8Array;
}

/** Where it runs of whom neither its manifest nor a person says so. */
export interface KeptPlace {
  readonly tier: 'process' | 'worker';
  /** What keeps it in the process, as the end of a sentence. */
  readonly because?: string;
}

export interface KeptPlugin {
  /** `undefined` where its file has changed since, or was never read. */
  readonly manifest: PluginManifest | undefined;
  readonly registered: KeptRegistrations | undefined;
  readonly place: KeptPlace | undefined;
  /** It registers something else each time, so it is asked at each start. */
  readonly isChanging: boolean;
  /** Its files are those that were read: what was agreed to is what runs. */
  isUnchanged(): boolean;
  /** Contract: never throws; what cannot be kept is worked out again. */
  keep(what: Omit<Stored, 'hash'>): void;
}

interface Stored {
  readonly hash: string;
  readonly manifest?: PluginManifest;
  readonly place?: KeptPlace;
  readonly registered?: KeptRegistrations;
  readonly isChanging?: boolean;
}

/** Of one plugin; with more it is worked out at each start. */
const mostFiles = 2_000;

/** Below `folder` each plugin has a folder of its name, made where there is none. @param readable the plugin's file or folder, and a folder beside it */
export function openKept(folder: string, path: string, readable: readonly string[]): KeptPlugin {
  const room = join(folder, nameOf(path) || '_');
  const place = join(room, `${sha256(path).slice(0, 32)}.bin`);
  const hash = hashOf(path, readable);
  let stored: Omit<Stored, 'hash'> | undefined = hash === undefined ? undefined : read(place, hash);
  return {
    get manifest() {
      return stored?.manifest;
    },
    get place() {
      return stored?.place;
    },
    get registered() {
      return stored?.registered;
    },
    get isChanging() {
      return stored?.isChanging === true;
    },
    isUnchanged: () => hashOf(path, readable) === hash,
    keep(what) {
      const where = what.place ?? stored?.place;
      stored = { ...what, ...(where ? { place: where } : {}) };
      if (hash === undefined) return;
      try {
        mkdirSync(room, { recursive: true, mode: 0o700 });
        writeFileSync(`${place}.tmp`, serialize({ hash, ...stored } satisfies Stored), { mode: 0o600 });
        renameSync(`${place}.tmp`, place);
      } catch {
        // A manifest with what cannot be written, or a full disk.
      }
    },
  };
}

/** Other ones may register something else. What is in it may be secret. */
export function settingKey({ config, services, dataDir }: Setting): string {
  return sha256(JSON.stringify([config, services, dataDir]));
}

function read(place: string, hash: string): Stored | undefined {
  try {
    const stored: unknown = deserialize(readFileSync(place));
    return isRecord(stored) && stored['hash'] === hash ? (stored as unknown as Stored) : undefined;
  } catch {
    return undefined; // it was never kept, or a newer node wrote it
  }
}

/** By content where the plugin is read from, by size and time where it may read more. */
function hashOf(path: string, readable: readonly string[]): string | undefined {
  const hash = createHash('sha256').update(`${version} ${process.version} `);
  let left = mostFiles;
  const look = (folder: string): boolean => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((one, other) => (one.name < other.name ? -1 : 1))) {
      const full = join(folder, entry.name);
      if (--left < 0) return false;
      if (entry.isDirectory()) {
        if (!look(full)) return false;
      } else {
        const { size, mtimeMs } = statSync(full);
        hash.update(`${full} ${size} ${mtimeMs}\n`);
      }
    }
    return true;
  };
  try {
    hash.update(readFileSync(path));
    const folders = readable.filter((one) => one !== path && statSync(one, { throwIfNoEntry: false })?.isDirectory());
    return folders.every(look) ? hash.digest('hex') : undefined;
  } catch {
    return undefined;
  }
}
