// Lists the files of a built web page, reads them on demand, and caches them.
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import mime from 'mime';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { compressAs, pickEncoding, type Encoding } from './encodings.ts';

export interface SiteFile {
  readonly type: string;
  /** Entity tag; constant while the file is unchanged. */
  readonly tag: string;
  /** Returns the file, compressed if the client accepts one of its encodings. */
  encoded(accepted: string | readonly string[] | undefined): Promise<{ readonly content: Buffer; readonly encoding?: Encoding }>;
}

/** Location of a file: `root` next to the page; `assets` for files with a hash in the name. */
export type Place = 'root' | 'assets';

export interface Site {
  /** Returns the page with its placeholders; `undefined` if the page was not built. */
  template(): Promise<string | undefined>;
  /** Returns a file; `undefined` for files that the build did not write. */
  find(place: Place, name: string): Promise<SiteFile | undefined>;
}

interface Listing {
  /** Build time of the page. */
  readonly stamp: number;
  readonly template: string;
  readonly files: ReadonlyMap<string, () => Promise<SiteFile>>;
}

const page = 'index.html';
/** Extension of files that the build wrote only in compressed form; they are served under the name without this extension. */
const packed = '.br';
const compressible = /^(text\/|application\/(json|javascript|manifest\+json|xml)|image\/svg)/;

export function createSite(folder: string): Site {
  let listing: Listing | undefined;

  /** Lists the files, again after each new build. */
  async function list(): Promise<Listing | undefined> {
    const found = await stat(join(folder, page)).catch(() => undefined);
    if (!found?.isFile()) return undefined;
    if (listing?.stamp === found.mtimeMs) return listing;
    const files = new Map([...(await listFiles('root', folder)), ...(await listFiles('assets', join(folder, 'assets')))]);
    listing = { stamp: found.mtimeMs, template: await readFile(join(folder, page), 'utf8'), files };
    return listing;
  }

  return {
    template: async () => (await list())?.template,
    find: async (place, name) => (await list())?.files.get(`${place}/${name}`)?.(),
  };
}

/** Lists the plain files of a folder, without links, hidden files, and the page itself, which has placeholders. */
async function listFiles(place: Place, folder: string): Promise<[string, () => Promise<SiteFile>][]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !(place === 'root' && entry.name === page))
    .map(({ name }) => [`${place}/${name.endsWith(packed) ? name.slice(0, -packed.length) : name}`, readOnce(join(folder, name))]);
}

function readOnce(path: string): () => Promise<SiteFile> {
  let read: Promise<SiteFile> | undefined;
  return () =>
    (read ??= readSiteFile(path).catch((fault: unknown) => {
      read = undefined;
      throw fault;
    }));
}

async function readSiteFile(path: string): Promise<SiteFile> {
  const isPacked = path.endsWith(packed);
  const read = await readFile(path);
  const content = isPacked ? await promisify(brotliDecompress)(read) : read;
  const type = mime.getType(isPacked ? path.slice(0, -packed.length) : path) ?? 'application/octet-stream';
  const kept = new Map<Encoding, Promise<Buffer>>(isPacked ? [['br', Promise.resolve(read)]] : []);
  return {
    type: type.startsWith('text/') ? `${type}; charset=utf-8` : type,
    tag: createHash('sha256').update(content).digest('base64url').slice(0, 27),
    async encoded(accepted) {
      const encoding = compressible.test(type) ? pickEncoding(accepted, content.byteLength) : undefined;
      if (!encoding) return { content };
      const known = kept.get(encoding) ?? compressAs(encoding, content);
      kept.set(encoding, known);
      return { content: await known, encoding };
    },
  };
}
