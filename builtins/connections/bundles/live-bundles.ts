// Tracks the active bundles: checks their files before each turn and hook, and reloads changed ones.
import { realpathSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createSerialQueue } from '#lib/async';
import { messageOf } from '#lib/errors';
import { BoundedMap } from '#lib/values';
import type { Trust } from 'agent-harness/plugins/trust';
import type { Bundle } from './bundle.ts';
import { isBundleFolder, readBundle, readWorkspace, stampOfBundle, stampOfWorkspace } from './read-bundle.ts';
import { subjectName } from './subject-name.ts';

export interface FoundBundle {
  /** Folder name. */
  readonly folder: string;
  readonly root: string;
  /** The bundle, or a sentence if it cannot be used. */
  readonly bundle: Bundle | string;
  readonly isTrusted: boolean;
}

export interface LiveBundles {
  /** Returns the current bundles of the plugin folder. */
  own(): Promise<readonly FoundBundle[]>;
  /** Returns the bundle of a workspace, trusted or not. */
  ofWorkspace(workspaceRoot: string): Promise<Bundle | string | undefined>;
  /** Returns the bundle at a root: a bundle's folder or a workspace. */
  at(root: string): Promise<Bundle | string | undefined>;
  /** Returns the active bundles of a workspace. */
  trusted(workspaceRoot: string): Promise<readonly Bundle[]>;
}

const mostBundles = 50;
const mostWorkspaces = 20;
/** Time in milliseconds without changes after which a folder listing is cached. Two changes within one tick of the file system's clock have the same time. */
const settledMs = 1_000;

/** @param dir plugin folder, if any */
export function createLiveBundles(dir: string | undefined, trust: () => Trust | undefined): LiveBundles {
  const queue = createSerialQueue();
  const bundles = new Map<string, Bundle | string>();
  let listed: { readonly changedMs: number; readonly folders: readonly string[] } | undefined;
  const workspaces = new BoundedMap<string, { readonly stamp: string; readonly bundle: Bundle | string | undefined }>(mostWorkspaces);

  async function readOwn(folder: string): Promise<Bundle | string> {
    const known = bundles.get(folder);
    if (known !== undefined && typeof known !== 'string' && stampOfBundle(known) === known.stamp) return known;
    const read = await readBundle(folder).catch((fault: unknown) => messageOf(fault));
    bundles.set(folder, read);
    return read;
  }

  /** Returns the ctime of the plugin folder in milliseconds since 1970; its modification time is unreliable, because copying tools reset it. */
  function changedAt(): number | undefined {
    try {
      return dir === undefined ? undefined : statSync(dir).ctimeMs;
    } catch {
      return undefined;
    }
  }

  /** Returns the names of the folders in the plugin folder; reads them again after a change. */
  async function listFolders(): Promise<readonly string[]> {
    const changedMs = changedAt();
    if (dir === undefined || changedMs === undefined) return [];
    if (listed?.changedMs === changedMs) return listed.folders;
    const isSettled = Date.now() - changedMs > settledMs;
    const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
    const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    listed = isSettled ? { changedMs, folders } : undefined;
    return folders;
  }

  async function own(): Promise<FoundBundle[]> {
    if (dir === undefined) return [];
    const folders = (await listFolders()).filter((name) => isBundleFolder(join(dir, name)));
    const found: FoundBundle[] = [];
    for (const folder of folders.sort().slice(0, mostBundles)) {
      const root = realpathSync(join(dir, folder));
      const bundle = await readOwn(join(dir, folder));
      found.push({ folder, root, bundle, isTrusted: typeof bundle !== 'string' && (await isTrusted(bundle)) });
    }
    return found;
  }

  async function isTrusted({ root, digest }: Bundle): Promise<boolean> {
    return (await trust()?.isTrusted(root, subjectName, digest)) === true;
  }

  async function ofWorkspace(workspaceRoot: string): Promise<Bundle | string | undefined> {
    const known = workspaces.get(workspaceRoot);
    const paths = typeof known?.bundle === 'object' ? known.bundle.files.keys() : [];
    const stamp = stampOfWorkspace(workspaceRoot, paths);
    if (known && known.stamp === stamp) return known.bundle;
    const bundle = await readWorkspace(workspaceRoot).catch((fault: unknown) => messageOf(fault));
    const read = typeof bundle === 'object' ? bundle.files.keys() : [];
    workspaces.set(workspaceRoot, { stamp: stampOfWorkspace(workspaceRoot, read), bundle });
    return bundle;
  }

  return {
    own: () => queue.run(own),
    ofWorkspace: (workspaceRoot) => queue.run(() => ofWorkspace(workspaceRoot)),
    at: (root) =>
      queue.run(async () => {
        const found = (await own()).find((one) => one.root === root);
        return found ? found.bundle : ofWorkspace(root);
      }),
    trusted: (workspaceRoot) =>
      queue.run(async () => {
        const mine = (await own()).flatMap(({ bundle, isTrusted: counts }) => (counts && typeof bundle !== 'string' ? [bundle] : []));
        const theirs = await ofWorkspace(workspaceRoot);
        return theirs !== undefined && typeof theirs !== 'string' && (await isTrusted(theirs)) ? [...mine, theirs] : mine;
      }),
  };
}
