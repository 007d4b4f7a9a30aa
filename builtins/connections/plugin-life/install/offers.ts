// What a person is asked about before anything is installed, and the installing of exactly that.
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EarlierRow, LockRow, PluginOffer } from 'agent-harness/builtins/connections/plugin-life';
import type { SaidManifest, UserPlugins } from 'agent-harness/plugins/settings';
import { failure, messageOf } from 'agent-harness/lib/errors';
import { flushFolder, isThere } from 'agent-harness/lib/files';
import { BoundedMap, stableJson } from 'agent-harness/lib/values';
import { compareVersions, isVersion } from 'agent-harness/lib/versions';
import { digestOf, fingerprintOf, readSheet, rowsOf, type PackSheet } from '../packs/pack-sheet.ts';
import { entryOf, packageOf } from '../packs/plugin-files.ts';
import { checkFiles } from '../packs/tar.ts';
import { fetchSource, type SourcePlaces } from '../sources/fetch-source.ts';
import type { Fetched } from '../sources/fetched.ts';
import type { LockFile } from './lock-file.ts';
import { notesOnCode } from './read-code.ts';

export interface OfferParts {
  readonly userPlugins: Pick<UserPlugins, 'dir' | 'inspect' | 'lockFault' | 'forget' | 'trust'>;
  readonly lock: LockFile;
  readonly places: () => SourcePlaces & { readonly coolDownDays: number };
  /** Names of the product's own plugins. */
  readonly isTaken: (name: string) => boolean;
  readonly tooYoung: (details: { readonly what: string; readonly published: string; readonly from: string; readonly days: number }) => Error;
  readonly keyChanged: (name: string) => Error;
  readonly gone: () => Error;
  readonly now: () => number;
}

export interface Offers {
  look(source: string, options: { readonly noCoolDown?: boolean; readonly signal?: AbortSignal }): Promise<PluginOffer>;
  install(id: string, digest: string): Promise<LockRow & { readonly name: string }>;
  /** Deletes what was looked at and not installed. */
  dispose(): Promise<void>;
}

interface Held {
  readonly offer: PluginOffer;
  readonly folder: string;
  readonly row: Omit<LockRow, 'installedAt'>;
}

/** Beginning of a name that loaders leave alone. */
const staging = '.staging-';
const heldMs = 15 * 60_000;
const mostHeld = 8;
const dayMs = 86_400_000;

/** What each way to run allows, for people; `open` where a plugin says none. */
const tierSentences = {
  open: 'It runs in a thread of its own if it works there, and else in the server itself, where it may do whatever the server may: read and change your files, use the network, start programs.',
  process: 'It runs in the server itself, and may do whatever the server may: read and change your files, use the network, start programs.',
  worker: 'It runs in a thread of its own, and gets its own folder and what is named here.',
  child: 'It runs in a process of its own, and gets its own folder and what is named here.',
} as const;

export function createOffers({ userPlugins, lock, places, isTaken, tooYoung, keyChanged, gone, now }: OfferParts): Offers {
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
    // A date that is none is of nobody who can be believed.
    const day = (time: number): string => (Number.isNaN(time) ? 'never' : new Date(time).toISOString().slice(0, 16).replace('T', ' '));
    throw tooYoung({ what: resolved, published: day(Date.parse(published ?? '')), from: day(from), days });
  }

  /** What programs that were killed have left behind; those of another that runs are younger. */
  async function sweep(): Promise<void> {
    for (const name of await readdir(dir).catch(() => [])) {
      const folder = join(dir, name);
      const { mtimeMs = now() } = name.startsWith(staging) ? ((await stat(folder).catch(() => ({}))) as { mtimeMs?: number }) : {};
      if (now() - mtimeMs > 4 * heldMs) await rm(folder, { recursive: true, force: true });
    }
  }
  let swept: Promise<void> | undefined;

  /** In a folder that nobody else can write to, beside where it will stand; loaders leave it alone. */
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
      const { files, expected } = fetched;
      const sheet = readSheet(files);
      checkFiles(files);
      const entry = entryOf(files);
      const stated = packageOf(files);
      if (!sheet && Object.keys(stated['dependencies'] ?? {}).length > 0) {
        throw failure('It needs packages that would have to be installed beside it, and nobody does that here; ask its author for one that has them bundled.');
      }
      const folder = await stage(sheet?.name ?? fetched.usualName.replace(/[^A-Za-z\d]+/g, '-').toLowerCase(), files);
      try {
        const { manifest, needs, grownSince } = await userPlugins.inspect(join(folder, entry)).catch(refuseUnread);
        const name = sheet?.name ?? manifest.name ?? '';
        if (name === '') throw failure('It says no name: its manifest has to have one.');
        if (installedAs && asked !== name) throw failure(`It calls itself '${name}' now, so it does not take the place of '${asked}'.`);
        if (isTaken(name)) throw failure(`The product has a plugin '${name}' of its own, so it would not be loaded.`);
        const row = rows[name];
        if (!row && (await isThere(join(dir, name)))) throw failure(`${join(dir, name)} is there already and was not installed; move it away first.`);
        if (sheet) refuseLies(sheet, manifest, expected);
        else if (expected) throw failure('The index says that it is signed, and it is not.');
        if (row?.key !== undefined && row.key !== sheet?.key) throw keyChanged(name);
        const version = sheet?.version ?? fetched.version ?? textOf(stated['version']) ?? '0.0.0';
        const listed = rowsOf(files);
        const digest = digestOf(listed);
        if (row?.version === version && row.digest !== digest && /^(npm:|[a-z])/.test(row.source) && !/^(git|https?):/.test(row.source)) {
          throw failure(
            `${name} ${version} is installed with other files than it has now. Versions do not change; ask its author, or remove it and install it again.`,
          );
        }
        const { isolation = 'process', capabilities = {}, requires = [], optional = [] } = manifest;
        const description = sheet?.description ?? textOf(stated['description']) ?? '';
        const bytes = sizeOf(listed);
        const tier = tierSentences[manifest.isolation ?? 'open'];
        const before = row && {
          version: row.version,
          files: row.files.length,
          bytes: sizeOf(row.files),
          isSame: row.digest === digest && userPlugins.lockFault(name) === undefined,
        };
        const allNeeds = [tier, ...needs];
        const since = row ? grownSince({ capabilities: row.capabilities, requires: row.services as never }) : [];
        const loosened = row && tiers.indexOf(isolation) < tiers.indexOf(row.isolation) ? [tier] : [];
        const offer: PluginOffer = {
          ...{ id: randomBytes(12).toString('hex'), name, version, description, digest, isolation, bytes },
          ...{ source: fetched.source, resolved: fetched.resolved, needs: allNeeds, grown: [...loosened, ...since], files: listed.length },
          ...(sheet ? { signer: fingerprintOf(sheet.key), ...(row ? { isSameSigner: row.key === sheet.key } : {}) } : {}),
          notes: [...(row && isOlder(version, row.version) ? [`It is older than what is installed (${row.version}).`] : []), ...notesOnCode(files)],
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
            ...{ services: [...requires, ...optional], ...(sheet ? { key: sheet.key } : {}) },
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
        const { [name]: before } = await lock.read();
        if (!before && (await isThere(target))) throw failure(`${target} came meanwhile; move it away first.`);
        if (before?.key !== undefined && before.key !== one.row.key) throw keyChanged(name);
        const earlier = before ? earlierOf(before, one.row.digest) : [];
        const row: LockRow = { ...one.row, installedAt: new Date(now()).toISOString(), ...(earlier.length > 0 ? { earlier } : {}) };
        // Either folder counts until the new one stands there, so that nothing is refused after a power cut in between.
        await lock.write(name, before ? { ...row, before: before.files } : row);
        // What was done wrong before it is over, and so is what was agreed to; what ran well stays, in case this one does not.
        userPlugins.forget(name, { keeps: 'versions' });
        userPlugins.trust.decide(name, { agree: { name, capabilities: row.capabilities, requires: row.services as never } });
        const old = join(place, 'before');
        if (await isThere(target)) await rename(target, old);
        await rename(one.folder, target);
        await flushFolder(dir);
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

/** It throws when it is read, or takes too long, or asks for what nobody can have. */
function refuseUnread(fault: unknown): never {
  throw failure(`What it says about itself cannot be read: ${messageOf(fault)}`);
}

/** Versions that may come back where a later one fails. */
const earlierKept = 3;

function earlierOf({ version, resolved, digest, files, isolation, capabilities, services, earlier = [] }: LockRow, next: string): readonly EarlierRow[] {
  const rows = [{ version, resolved, digest, files, isolation, capabilities, services }, ...earlier];
  return rows.filter((row) => row.digest !== next).slice(0, earlierKept);
}

const tiers = ['process', 'worker', 'child'];

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

const sizeOf = (rows: readonly { readonly size: number }[]): number => rows.reduce((sum, { size }) => sum + size, 0);

const isOlder = (version: string, than: string): boolean => isVersion(version) && isVersion(than) && compareVersions(version, than) < 0;

/** What the sheet and the index say must be what the code says of itself. */
function refuseLies(sheet: PackSheet, manifest: SaidManifest, expected: Fetched['expected']): void {
  const { name = sheet.name, api = 1, isolation = 'process', capabilities = {}, requires = [], optional = [] } = manifest;
  const said = [
    ['name', sheet.name, name],
    ['isolation', sheet.isolation, isolation],
    ['capabilities', sheet.capabilities, capabilities],
    ['services', sheet.services, [...requires, ...optional]],
  ] as const;
  for (const [what, promise, truth] of said) {
    if (stableJson(promise) !== stableJson(truth))
      throw failure(`Its code says other ${what} of itself than its sheet: ${stableJson(truth)} in place of ${stableJson(promise)}.`);
  }
  if (api < sheet.api.from || api > sheet.api.to)
    throw failure(`Its code was made for plugin contract ${api}, its sheet says ${sheet.api.from} to ${sheet.api.to}.`);
  if (sheet.api.from > 1) throw failure(`It was made for plugin contract ${sheet.api.from}; this program speaks 1. Update the program.`);
  for (const what of ['key', 'version', 'isolation', 'capabilities'] as const) {
    if (expected && stableJson(expected[what]) !== stableJson(sheet[what])) throw failure(`The index says another ${what} of it than its sheet.`);
  }
}
