// Fetches a plugin from a path, an archive URL, npm or Git, depending on the format of the source. Does not run any of the plugin's code.
import { readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute } from 'node:path';
import { failure } from '#lib/errors';
import { textStart } from '#lib/text';
import { pluginFiles } from '../packs/plugin-files.ts';
import { limits, readArchive } from '../packs/tar.ts';
import { download } from './download.ts';
import type { Fetched } from './fetched.ts';
import { fetchGit } from './git.ts';
import { fetchNpm } from './npm.ts';

export interface SourcePlaces {
  /** URL of the npm registry. */
  readonly registry: string;
}

/** Fetches a source. Rejects with an error whose message describes the problem. */
export async function fetchSource(source: string, { registry }: SourcePlaces, signal?: AbortSignal): Promise<Fetched> {
  if (source.startsWith('npm:')) return fetchNpm(source.slice(4), registry, signal);
  const repository = /^git[:+](?!\/\/)(.+)$/.exec(source)?.[1] ?? (/^(git@|ssh:\/\/)|^https:\/\/[^#]+\.git(#|$)/.test(source) ? source : undefined);
  if (repository !== undefined) return fetchGit(repository, signal);
  if (/^https?:/.test(source)) {
    const files = await readArchive(await download(source, limits.archiveBytes, signal));
    return { files, source, resolved: source, usualName: nameIn(new URL(source).pathname), hasCoolDown: false };
  }
  if (!isAbsolute(source)) throw failure(`'${textStart(source, 200)}' is not a source; use npm:name, git:address, https://…, or a path.`);
  const found = await stat(source).catch(() => undefined);
  if (!found) throw failure(`${source} does not exist.`);
  const isArchive = found.isFile() && /\.(tgz|tar\.gz)$/.test(source);
  if (isArchive && found.size > limits.archiveBytes) throw failure(`${source} is larger than ${limits.archiveBytes / 1024 / 1024} MB.`);
  const files = isArchive ? await readArchive(await readFile(source)) : await pluginFiles(source);
  return { files, source, resolved: source, usualName: nameIn(source), hasCoolDown: false };
}

/** Returns the name in a path: `hello` for `/a/hello-1.2.0.tgz`. */
const nameIn = (path: string): string => basename(path).replace(/(-\d+\.\d+\.\d+.*)?\.(tgz|tar\.gz|m?js)$/, '');
