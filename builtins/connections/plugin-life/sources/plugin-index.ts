// An index that anybody can host: a JSON file that lists packs, each by its hash and its author's key.
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failure, messageOf } from 'agent-harness/lib/errors';
import { sha256 } from 'agent-harness/lib/hash';
import { lateAjv } from 'agent-harness/lib/late-ajv';
import { jsonOf } from 'agent-harness/lib/values';
import { compareVersions, isVersion } from 'agent-harness/lib/versions';
import type { IndexEntry } from 'agent-harness/builtins/connections/plugin-life';
import { limits, readArchive } from '../packs/tar.ts';
import { download } from './download.ts';
import type { Fetched } from './fetched.ts';

const mostBytes = 5_000_000;

const text = (maxLength: number): object => ({ type: 'string', maxLength });
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 100 },
    plugins: {
      type: 'array',
      maxItems: 5_000,
      items: {
        type: 'object',
        properties: {
          name: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,63}$' },
          version: text(64),
          published: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' },
          description: text(500),
          url: { type: 'string', minLength: 1, maxLength: 2_000 },
          sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          key: { type: 'string', pattern: '^[A-Za-z0-9_-]{43}$' },
          capabilities: { type: 'object' },
          isolation: { enum: ['process', 'worker', 'child'] },
          size: { type: 'integer', minimum: 0 },
          screenshots: { type: 'array', items: text(2_000), maxItems: 10 },
        },
        required: ['name', 'version', 'published', 'description', 'url', 'sha256', 'key', 'capabilities', 'isolation', 'size'],
        additionalProperties: false,
      },
    },
  },
  required: ['name', 'plugins'],
  additionalProperties: false,
} as const;

export type ReadEntry = IndexEntry & { /** Name of the index. */ readonly index: string };

/** Rejects with a sentence. @param place address, or absolute path */
async function readIndex(place: string, signal?: AbortSignal): Promise<ReadEntry[]> {
  const isFile = isAbsolute(place);
  const content = isFile
    ? await readFile(place, 'utf8').catch((fault: unknown) => {
        throw failure(`${place} cannot be read: ${messageOf(fault)}`);
      })
    : (await download(place, mostBytes, signal)).toString('utf8');
  const index = jsonOf(content) as { readonly name: string; readonly plugins: readonly IndexEntry[] };
  const ajv = new (lateAjv().Ajv2020)({ strict: false });
  if (!ajv.validate(schema, index)) throw failure(`${place} is no index of plugins: ${ajv.errorsText(ajv.errors, { dataVar: 'index' })}.`);
  const base = isFile ? pathToFileURL(place).href : place;
  return index.plugins.flatMap((entry) => {
    // One that lies on the network names no files of this machine.
    const url = URL.canParse(entry.url, base) ? new URL(entry.url, base) : undefined;
    const isFit = url && isVersion(entry.version) && (isFile || url.protocol !== 'file:');
    return isFit ? [{ ...entry, url: url.href, index: index.name }] : [];
  });
}

/** All entries of all indexes that can be read; and of the others a sentence. */
export async function readIndexes(places: readonly string[], signal?: AbortSignal): Promise<{ entries: ReadEntry[]; faults: string[] }> {
  const read = await Promise.allSettled(places.map((place) => readIndex(place, signal)));
  return {
    entries: read.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])),
    faults: read.flatMap((one) => (one.status === 'rejected' ? [messageOf(one.reason)] : [])),
  };
}

/** The newest version of each name; of equal ones the first index's. */
export function newestOf(entries: readonly ReadEntry[]): ReadEntry[] {
  const newest = new Map<string, ReadEntry>();
  for (const entry of entries) {
    const known = newest.get(entry.name);
    if (!known || compareVersions(entry.version, known.version) > 0) newest.set(entry.name, entry);
  }
  return [...newest.values()];
}

/** @param wanted `name`, or `name@version` */
export async function fetchFromIndex(wanted: string, places: readonly string[], signal?: AbortSignal): Promise<Fetched> {
  const [name = '', version] = wanted.split('@');
  if (places.length === 0)
    throw failure(`No index is set that could have '${wanted}': AGENT_PLUGIN_INDEX. Other sources are a path, npm:name and git:address.`);
  const { entries, faults } = await readIndexes(places, signal);
  const fitting = entries.filter((entry) => entry.name === name && (version === undefined || entry.version === version));
  const [entry] = newestOf(fitting);
  if (!entry) throw failure(`No index has '${wanted}'.${faults.map((fault) => ` ${fault}`).join('')}`);
  const archive = entry.url.startsWith('file:') ? await readFile(new URL(entry.url)) : await download(entry.url, limits.archiveBytes, signal);
  if (sha256(archive) !== entry.sha256) throw failure(`What came for ${name} ${entry.version} is not what the index '${entry.index}' tells.`);
  return {
    files: await readArchive(archive),
    source: name,
    resolved: entry.url,
    published: entry.published,
    usualName: name,
    version: entry.version,
    hasCoolDown: true,
    expected: entry,
  };
}
