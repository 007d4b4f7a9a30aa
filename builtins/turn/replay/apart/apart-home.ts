// The home folder of a process apart: the chat up to the turn, the person's plugins with other ones among them, and no secret.
import { constants, existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, relative, sep } from 'node:path';
import type { Services } from 'agent-harness/kernel';
import { isRecord, jsonOf } from 'agent-harness/lib/values';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { UserPlugins } from 'agent-harness/plugins/settings';

export interface HomeParts {
  readonly services: Pick<Services, 'chats' | 'kernel' | 'product'>;
  readonly userPlugins: UserPlugins | undefined;
}

/** Where a turn begins. */
export interface TurnStart {
  readonly chatId: string;
  readonly turnId: string;
  readonly before: readonly JournalEvent[];
}

export interface ApartHome {
  /** Real path. */
  readonly path: string;
  /** Of the other plugins. */
  readonly names: readonly string[];
  /** Deletes it. */
  remove(): Promise<void>;
}

/** What a person decided about plugins, and what was agreed to when they were installed. */
const decisions = ['plugin_trust.json', 'plugins.lock.json'];

/**
 * Rejects with a sentence for a plugin that is not there or says something wrong of itself. Whoever makes one removes it.
 * @param others of other versions, and of plugins that were not there: `NAME=PATH`, or a path, absolute
 */
export async function makeApartHome(parts: HomeParts, turn: TurnStart, others: readonly string[]): Promise<ApartHome> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'replay-apart-')));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await Promise.all([copyChat(path, parts, turn), copyPlugins(path, parts)]);
    const names: string[] = [];
    for (const [at, other] of others.entries()) names.push(await addPlugin(path, parts, other, at));
    return { path, names, remove };
  } catch (fault) {
    await remove();
    throw fault;
  }
}

/** As it was before the turn, for whoever asks what was said. */
async function copyChat(path: string, { services: { chats, product } }: HomeParts, { chatId, turnId, before }: TurnStart): Promise<void> {
  const folder = join(path, relative(product.home, chats.folder(chatId)));
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The message that begins the turn is told there.
  const kept = before.filter((event) => event.turnId !== turnId || event.kind !== 'message_accepted' || event['isSteer'] === true);
  const { busy: _, ...meta } = await chats.get(chatId);
  await writeFile(join(folder, 'meta.json'), JSON.stringify(meta), { mode: 0o600 });
  await writeFile(join(folder, 'session.jsonl'), kept.map((event) => `${JSON.stringify(event)}\n`).join(''), { mode: 0o600 });
}

/** What does not run in the server does not run there either, whatever keeps it off. */
async function copyPlugins(path: string, { services: { kernel, product }, userPlugins }: HomeParts): Promise<void> {
  for (const name of decisions) if (existsSync(join(product.home, name))) await cp(join(product.home, name), join(path, name));
  const plugins = join(path, 'plugins');
  await mkdir(plugins, { mode: 0o700 });
  if (!userPlugins || !existsSync(userPlugins.dir)) return;
  const { dir } = userPlugins;
  const off = new Set(kernel.report().plugins.flatMap(({ origin, state, place }) => (origin === 'user' && state !== 'active' ? [entryOf(dir, place)] : [])));
  for (const name of await readdir(dir)) if (!off.has(name)) await copyTree(join(dir, name), join(plugins, name));
}

/** What of a folder a path leads through. */
function entryOf(folder: string, path: string): string {
  return relative(folder, path).split(sep)[0] ?? '';
}

/** Answers its name. */
async function addPlugin(path: string, parts: HomeParts, other: string, at: number): Promise<string> {
  const [, given, place = ''] = /^(?:([a-z][a-z\d-]*)=)?(.+)$/s.exec(other) ?? [];
  if (!parts.userPlugins) throw new Error('Nobody loads plugins from a folder here.');
  const from = parts.userPlugins.locate(place);
  const isFolder = (await stat(from)).isDirectory();
  const staged = join(path, `staged-${at}`);
  await mkdir(staged, { mode: 0o700 });
  const file = basename(from);
  await copyTree(from, join(staged, file));
  const beside = from.replace(/\.m?js$/, '');
  const isBeside = !isFolder && beside !== from && existsSync(beside);
  if (isBeside) await copyTree(beside, join(staged, basename(beside)));
  const index = ['index.mjs', 'index.js'].map((one) => join(staged, file, one)).find((one) => existsSync(one));
  const { manifest } = await parts.userPlugins.inspect(isFolder ? (index ?? join(staged, file, 'index.mjs')) : join(staged, file));
  const name = given ?? manifest.name ?? basename(beside);
  if (!/^[a-z][a-z\d-]*$/.test(name)) throw new Error(`Which plugin ${from} is another version of, it does not say. Say it: --plugin NAME=${place}`);
  await removePlugin(path, parts, name);
  const plugins = join(path, 'plugins');
  await rename(join(staged, file), join(plugins, isFolder ? name : `${name}.mjs`));
  if (isBeside) await rename(join(staged, basename(beside)), join(plugins, name));
  return name;
}

/** With what was agreed to of the files that it had. */
async function removePlugin(path: string, { services: { kernel }, userPlugins }: HomeParts, name: string): Promise<void> {
  const row = kernel.report().plugins.find((one) => one.name === name && one.origin === 'user');
  const entry = row && userPlugins ? entryOf(userPlugins.dir, row.place) : '';
  for (const one of new Set([entry, name, `${name}.mjs`, `${name}.js`]))
    if (one !== '' && one !== '..') await rm(join(path, 'plugins', one), { recursive: true, force: true });
  const lock = join(path, 'plugins.lock.json');
  if (!existsSync(lock)) return;
  const agreed = jsonOf(await readFile(lock, 'utf8'));
  const rows = isRecord(agreed) && isRecord(agreed['plugins']) ? agreed['plugins'] : {};
  delete rows[name];
  await writeFile(lock, JSON.stringify(agreed), { mode: 0o600 });
}

/** Links lead where they led. */
async function copyTree(from: string, to: string): Promise<void> {
  await cp(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE, filter: (one) => basename(one) !== '.git' });
}
