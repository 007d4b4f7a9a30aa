// Writes the folder `active`, which contains a revision as readable files. The folder is built beside its final path and replaced as a whole.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256 } from '#lib/hash';
import { isRecord } from '#lib/values';
import type { Storage } from 'agent-harness/plugins/storage';
import type { SliceName } from '../contract.ts';
import type { Revision } from './revision.ts';
import { fileOfSlice, sliceNames, tidyText } from './slices.ts';

/** Content of section files that another program wrote. */
export type OutsideTexts = ReadonlyMap<SliceName, string>;

export interface ActiveFolder {
  /**
   * Returns content that waits for a decision in the files of an earlier revision, which an ended process did not replace.
   * @param revisionOf returns the revision with a given number
   */
  leftWaiting(revisionOf: (number: number) => Promise<Revision | undefined>): Promise<OutsideTexts>;
  /** Resolves when the files match the revision, except for content that waits for a decision. */
  show(revision: Revision, waiting: OutsideTexts): Promise<void>;
  /**
   * Compares the files with the revision, and returns the sections that differ in `texts`. `isCurrent`: the manifest belongs to this revision, so another
   * program caused the difference; `refused`: files that differ and are unreadable or invalid.
   */
  look(revision: Revision): Promise<{ readonly isCurrent: boolean; readonly texts: OutsideTexts; readonly refused: readonly string[] }>;
}

interface Manifest {
  readonly revision: number;
  readonly files: Readonly<Record<string, string>>;
}

/** Maximum file size in bytes; the text of a section has a few hundred. */
const largestFile = 64 * 1024;

/** @param folder path of `persona` in the home folder */
export function createActiveFolder(folder: string, storage: Storage): ActiveFolder {
  const active = join(folder, 'active');
  const next = join(folder, 'next');
  const last = join(folder, 'last');

  async function textOf(path: string): Promise<string | undefined> {
    const found = await lstat(path).catch(() => undefined);
    return found?.isFile() && found.size <= largestFile ? storage.readText(path) : undefined;
  }

  return {
    async show(revision, waiting) {
      const files = filesOf(revision);
      await storage.removeFolder(next);
      if (files.size > 0) {
        const hashes = Object.fromEntries([...files].map(([path, text]) => [path, sha256(text)]));
        await Promise.all([...files].map(([path, text]) => storage.writeFile(join(next, path), waitingAt(path, waiting) ?? text)));
        const { revision: number, at, by, why } = revision;
        await storage.writeJson(join(next, 'manifest.json'), { revision: number, at, by, why, label: revision.profile?.label ?? '', files: hashes });
      }
      await storage.removeFolder(last);
      if (await storage.has(active)) await storage.move(active, last);
      if (files.size > 0) await storage.move(next, active);
      await storage.removeFolder(last);
    },

    async leftWaiting(revisionOf) {
      // A folder is complete if it contains the manifest, which is written last.
      for (const place of [active, last, next]) {
        const revision = await revisionOf((await readManifest(place))?.revision ?? 0);
        if (revision) return (await compare(revision, place)).texts;
      }
      return new Map();
    },

    async look(revision) {
      const files = filesOf(revision);
      const manifest = files.size === 0 ? undefined : await readManifest(active);
      if (files.size === 0) return { isCurrent: !(await storage.has(active)), texts: new Map(), refused: [] };
      if (manifest?.revision !== revision.revision) return { isCurrent: false, texts: new Map(), refused: [] };
      return { isCurrent: true, ...(await compare(revision, active)) };
    },
  };

  async function compare(revision: Revision, place: string): Promise<{ readonly texts: OutsideTexts; readonly refused: readonly string[] }> {
    const texts = new Map<SliceName, string>();
    const refused: string[] = [];
    for (const [path, text] of filesOf(revision)) {
      const found = await textOf(join(place, path));
      if (found !== undefined && tidyText(found) === tidyText(text)) continue;
      const name = sliceNames.find((one) => fileOfSlice(one) === path);
      if (name && found !== undefined) texts.set(name, found);
      else refused.push(path);
    }
    return { texts, refused };
  }

  async function readManifest(place: string): Promise<Manifest | undefined> {
    const text = await textOf(join(place, 'manifest.json'));
    try {
      const found: unknown = JSON.parse(text ?? '');
      return isRecord(found) && isRecord(found['files']) ? (found as unknown as Manifest) : undefined;
    } catch {
      return undefined;
    }
  }
}

function waitingAt(path: string, waiting: OutsideTexts): string | undefined {
  const name = sliceNames.find((one) => fileOfSlice(one) === path);
  return name && waiting.get(name);
}

/** Texts by path within `active`, without the manifest. */
function filesOf({ profile, slices, artifacts }: Revision): Map<string, string> {
  const files = new Map<string, string>();
  if (profile) files.set('profile.json', jsonText(profile));
  for (const name of sliceNames) {
    const slice = slices[name];
    if (slice) files.set(fileOfSlice(name), slice.text === '' ? '' : `${slice.text}\n`);
  }
  for (const [name, value] of Object.entries(artifacts)) files.set(`${name}.json`, jsonText(value));
  return files;
}

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
