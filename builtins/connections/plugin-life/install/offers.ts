// Manages install offers: fetches and inspects a plugin, and installs exactly the files that the user approved.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { LockRow, PluginOffer } from 'agent-harness/builtins/connections/plugin-life';
import type { UserPlugins } from 'agent-harness/plugins/settings';
import { failure, messageOf } from '#lib/errors';
import { flushFolder, isThere } from '#lib/files';
import { textStart } from '#lib/text';
import { BoundedMap } from '#lib/values';
import { compareVersions, isVersion } from '#lib/versions';
import { digestOf, entryOf, packageOf, rowsOf } from '../packs/plugin-files.ts';
import { checkFiles } from '../packs/tar.ts';
import { fetchSource, type SourcePlaces } from '../sources/fetch-source.ts';
import type { Fetched } from '../sources/fetched.ts';
import type { LockFile } from './lock-file.ts';
import { notesOnCode } from './read-code.ts';

export interface OfferParts {
  readonly userPlugins: Pick<UserPlugins, 'dir' | 'inspect' | 'lockFault' | 'trust'>;
  readonly lock: LockFile;
  readonly places: () => SourcePlaces & { readonly coolDownDays: number };
  /** Returns whether a built-in plugin has the name. */
  readonly isTaken: (name: string) => boolean;
  readonly tooYoung: (details: { readonly what: string; readonly published: string; readonly from: string; readonly days: number }) => Error;
  readonly gone: () => Error;
  readonly now: () => number;
}

export interface Offers {
  look(source: string, options: { readonly noCoolDown?: boolean; readonly signal?: AbortSignal }): Promise<PluginOffer>;
  install(id: string, digest: string): Promise<LockRow & { readonly name: string }>;
  /** Deletes offers that were not installed. */
  dispose(): Promise<void>;
}

interface Held {
  readonly offer: PluginOffer;
  readonly folder: string;
  readonly row: Omit<LockRow, 'installedAt'>;
}

/** Prefix of staging folders, which loaders ignore. */
const staging = '.staging-';
const heldMs = 15 * 60_000;
const mostHeld = 8;
const dayMs = 86_400_000;

const placeSentences = {
  process: 'It runs in the server process with all its rights: it can read and change your files, use the network and start programs.',
  child: 'It runs isolated in a child process, with its own folder and the capabilities listed here.',
} as const;

/** Allowed plugin names, which become folder names and keys. */
const nameForm = /^[a-z][a-z\d]{0,31}(?:-[a-z\d]{1,31}){0,7}$/;

export function createOffers({ userPlugins, lock, places, isTaken, tooYoung, gone, now }: OfferParts): Offers {
  const held = new BoundedMap<string, Held & { readonly timer: NodeJS.Timeout }>(mostHeld, (one) => void end(one).catch(() => undefined));
  const { dir } = userPlugins;

  async function end({ folder, timer }: Pick<Held, 'folder'> & { readonly timer: NodeJS.Timeout }): Promise<void> {
    clearTimeout(timer);
    await rm(dirname(folder), { recursive: true, force: true });
  }

  async function drop(id: string): Promise<void> {
    const one = held.get(id);
    held.delete(id);
    if (one) await end(one);
  }

  function refuseYoung({ resolved, published, hasCoolDown }: Fetched): void {
    const { coolDownDays: days } = places();
    const from = Date.parse(published ?? '') + days * dayMs;
    if (!hasCoolDown || days === 0 || from <= now()) return;
    // An invalid date counts as unknown, because the source is not trusted.
    const day = (time: number): string => (Number.isNaN(time) ? 'never' : new Date(time).toISOString().slice(0, 16).replace('T', ' '));
    throw tooYoung({ what: resolved, published: day(Date.parse(published ?? '')), from: day(from), days });
  }

  /** Removes old staging folders, which terminated programs left behind. Folders of running programs are newer. */
  async function sweep(): Promise<void> {
    for (const name of await readdir(dir).catch(() => [])) {
      const folder = join(dir, name);
      const { mtimeMs = now() } = name.startsWith(staging) ? ((await stat(folder).catch(() => ({}))) as { mtimeMs?: number }) : {};
      if (now() - mtimeMs > 4 * heldMs) await rm(folder, { recursive: true, force: true });
    }
  }
  let swept: Promise<void> | undefined;

  /** Writes to a folder beside the final path that no other user can change; loaders ignore it. */
  async function stage(name: string, files: Fetched['files']): Promise<string> {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await (swept ??= sweep());
    const folder = join(dir, `${staging}${randomBytes(6).toString('hex')}`, name);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const folders = new Set([folder]);
    for (const [path, content] of files) {
      const file = join(folder, ...path.split('/'));
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      folders.add(dirname(file));
      const handle = await open(file, 'wx', 0o600);
      try {
        await handle.writeFile(content);
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
    for (const one of folders) await flushFolder(one);
    return folder;
  }

  return {
    async look(asked, { noCoolDown = false, signal }) {
      const rows = await lock.read();
      const installedAs = Object.hasOwn(rows, asked) ? rows[asked] : undefined;
      const fetched = await fetchSource(installedAs?.source ?? asked, places(), signal);
      if (!noCoolDown) refuseYoung(fetched);
      const { files } = fetched;
      checkFiles(files);
      const entry = entryOf(files);
      const stated = packageOf(files);
      if (Object.keys(stated['dependencies'] ?? {}).length > 0) {
        throw failure('Its package.json has dependencies, which are not installed. Ask its author for a version that bundles them.');
      }
      const folder = await stage(fetched.usualName.replace(/[^A-Za-z\d]+/g, '-').toLowerCase(), files);
      try {
        const { manifest, needs, grownSince } = await userPlugins.inspect(join(folder, entry)).catch(refuseUnread);
        const { name } = manifest;
        if (name === undefined) throw failure('Its manifest has no name.');
        if (!nameForm.test(name))
          throw failure(`Its manifest has the name '${textStart(name, 100)}'. A name consists of lower-case letters, digits and hyphens.`);
        if (installedAs && asked !== name) throw failure(`Its name is now '${name}', so it does not replace '${asked}'.`);
        if (isTaken(name)) throw failure(`'${name}' is the name of a plugin of this product. Ask its author for another name.`);
        const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
        if (!row && (await isThere(join(dir, name)))) throw failure(`${join(dir, name)} exists and was not installed. Move it away first.`);
        const version = fetched.version ?? textOf(stated['version']) ?? '0.0.0';
        const listed = rowsOf(files);
        const digest = digestOf(listed);
        if (row?.version === version && row.digest !== digest && /^(npm:|[a-z])/.test(row.source) && !/^(git|https?):/.test(row.source)) {
          throw failure(
            `${name} ${version} is installed with other files than this archive has, although versions must not change. Ask its author, or remove it and install it again.`,
          );
        }
        const { capabilities = {}, requires = [], optional = [] } = manifest;
        const isolation = manifest.isolation === 'process' ? 'process' : 'child';
        const description = textStart(textOf(stated['description']) ?? '', 500);
        const bytes = sizeOf(listed);
        const place = placeSentences[isolation];
        const before = row && {
          version: row.version,
          files: row.files.length,
          bytes: sizeOf(row.files),
          isSame: row.digest === digest && userPlugins.lockFault(name) === undefined,
        };
        const allNeeds = [place, ...needs];
        const since = row ? grownSince({ capabilities: row.capabilities, requires: row.services as never }) : [];
        const loosened = row && isolation === 'process' && row.isolation !== 'process' ? [place] : [];
        const offer: PluginOffer = {
          ...{ id: randomBytes(12).toString('hex'), name, version, description, digest, isolation, bytes },
          ...{ source: fetched.source, resolved: fetched.resolved, needs: allNeeds, grown: [...loosened, ...since], files: listed.length },
          notes: [...(row && isOlder(version, row.version) ? [`It is older than the installed version (${row.version}).`] : []), ...notesOnCode(files)],
          ...(fetched.published === undefined ? {} : { published: fetched.published }),
          ...(before ? { installed: before } : {}),
        };
        const timer = setTimeout(() => void drop(offer.id).catch(() => undefined), heldMs);
        timer.unref();
        held.set(offer.id, {
          offer,
          folder,
          timer,
          row: {
            ...{ source: offer.source, resolved: offer.resolved, version, description, digest, files: listed, isolation, capabilities },
            services: [...requires, ...optional],
            ...(fetched.published === undefined ? {} : { published: fetched.published }),
          },
        });
        return offer;
      } catch (fault) {
        await rm(dirname(folder), { recursive: true, force: true });
        throw fault;
      }
    },

    async install(id, digest) {
      const one = held.get(id);
      if (one?.row.digest !== digest) throw gone();
      held.delete(id);
      clearTimeout(one.timer);
      const { name } = one.offer;
      const place = dirname(one.folder);
      const target = join(dir, name);
      try {
        const rows = await lock.read();
        const before = Object.hasOwn(rows, name) ? rows[name] : undefined;
        if (!before && (await isThere(target))) throw failure(`${target} was created in the meantime. Move it away first.`);
        const row: LockRow = { ...one.row, installedAt: new Date(now()).toISOString() };
        // Accepts both versions until the new folder is in place, so that a power failure does not block either.
        await lock.write(name, before ? { ...row, before: before.files } : row);
        try {
          const old = join(place, 'before');
          const isReplaced = await isThere(target);
          if (isReplaced) await rename(target, old);
          await rename(one.folder, target).catch(async (fault: unknown) => {
            if (isReplaced) await rename(old, target);
            throw fault;
          });
        } catch (fault) {
          await lock.write(name, before);
          throw fault;
        }
        await flushFolder(dir);
        userPlugins.trust.decide(name, { agree: { name, capabilities: row.capabilities, requires: row.services as never } });
        if (before) await lock.write(name, row);
        return { ...row, name };
      } finally {
        await rm(place, { recursive: true, force: true });
      }
    },

    async dispose() {
      for (const id of [...held.keys()]) await drop(id);
    },
  };
}

/** Rejects a plugin that throws or hangs while its manifest is read, or that requests a forbidden capability. */
function refuseUnread(fault: unknown): never {
  throw failure(`Its manifest cannot be read: ${messageOf(fault)}`);
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const sizeOf = (rows: readonly { readonly size: number }[]): number => rows.reduce((sum, { size }) => sum + size, 0);

const isOlder = (version: string, than: string): boolean => isVersion(version) && isVersion(than) && compareVersions(version, than) < 0;
