// Fetches a version from an npm registry and verifies the archive against the hash in the registry. Runs no scripts and installs no dependencies.
import { createHash } from 'node:crypto';
import { failure } from '#lib/errors';
import { textStart } from '#lib/text';
import { isRecord, jsonOf } from '#lib/values';
import { readArchive, limits } from '../packs/tar.ts';
import { download } from './download.ts';
import type { Fetched } from './fetched.ts';

const mostBytes = 20_000_000;

/** @param wanted `name` or `@scope/name`, optionally followed by `@version` or `@tag` */
export async function fetchNpm(wanted: string, registry: string, signal?: AbortSignal): Promise<Fetched> {
  const [, name = '', tag = 'latest'] = /^((?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*)(?:@([\w.+-]+))?$/.exec(wanted) ?? [];
  if (name === '') throw failure(`'npm:${textStart(wanted, 200)}' is not a package name; use npm:name or npm:name@1.2.3`);
  const document = jsonOf((await download(`${registry.replace(/\/$/, '')}/${name.replace('/', '%2f')}`, mostBytes, signal)).toString('utf8'));
  const { versions, time, 'dist-tags': tags } = isRecord(document) ? document : {};
  const tagged = isRecord(tags) ? tags[tag] : undefined;
  const version = typeof tagged === 'string' ? tagged : tag;
  const row = isRecord(versions) ? versions[version] : undefined;
  const dist = isRecord(row) ? row['dist'] : undefined;
  const { tarball, integrity } = isRecord(dist) ? dist : {};
  if (typeof tarball !== 'string') throw failure(`The registry has no version '${tag}' of ${name}.`);
  const archive = await download(tarball, limits.archiveBytes, signal);
  const hash = /(?:^|\s)sha512-([\w+/=]+)/.exec(typeof integrity === 'string' ? integrity : '')?.[1];
  if (hash === undefined) throw failure(`The registry provides no hash of ${name} ${version}, so the download cannot be verified.`);
  if (createHash('sha512').update(archive).digest('base64') !== hash)
    throw failure(`The downloaded archive of ${name} ${version} does not match the registry's hash.`);
  const published = isRecord(time) ? time[version] : undefined;
  if (typeof published !== 'string') throw failure(`The registry does not report when ${name} ${version} was published.`);
  return {
    files: await readArchive(archive),
    source: `npm:${name}`,
    resolved: `npm:${name}@${version}`,
    published,
    usualName: name.replace(/^@[^/]+\//, ''),
    version,
    hasCoolDown: true,
  };
}
