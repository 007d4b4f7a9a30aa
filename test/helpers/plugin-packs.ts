// Builds archives of any kind and an npm registry for plugin installation tests.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';

const block = 512;

export interface Entry {
  readonly name: string;
  readonly content?: string | Buffer;
  /** `0`: file, `1` and `2`: links, `3`: device, `5`: folder, `x`: extended header. */
  readonly kind?: string;
  readonly linkTo?: string;
  /** Header size, in place of the real size. */
  readonly size?: number;
  readonly sum?: number;
}

export function archiveOf(entries: readonly Entry[]): Buffer {
  const parts = entries.flatMap(({ name, content = '', kind = '0', linkTo = '', size, sum }) => {
    const bytes = Buffer.from(content);
    const header = Buffer.alloc(block);
    header.write(name, 0);
    header.write('0000777\0', 100);
    header.write(`${(size ?? bytes.length).toString(8).padStart(11, '0')}\0`, 124);
    header.write('00000000000\0', 136);
    header.write('        ', 148);
    header.write(kind, 156);
    header.write(linkTo, 157);
    header.write('ustar\x0000', 257);
    const own = header.reduce((total, byte) => total + byte, 0);
    header.write(`${(sum ?? own).toString(8).padStart(6, '0')}\0 `, 148);
    return [header, bytes, Buffer.alloc(-bytes.length & (block - 1))];
  });
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]));
}

/** Builds an archive like `npm pack`. @param stated fields of its `package.json` */
export function packOf(files: Readonly<Record<string, string>>, stated: Readonly<Record<string, unknown>> = {}): Buffer {
  const all = { 'package.json': JSON.stringify({ name: 'hello', version: '1.0.0', description: 'Greets.', ...stated }), ...files };
  return archiveOf(Object.entries(all).map(([name, content]) => ({ name: `package/${name}`, content })));
}

export interface PackedVersion {
  readonly archive: Buffer;
  /** ISO 8601. */
  readonly published: string;
  /** Published hash, in place of the real hash. */
  readonly integrity?: string;
}

/** Starts an npm registry on loopback with one package and additional files. The caller closes it. */
export async function startRegistry(name: string, versions: Record<string, PackedVersion>, beside: Record<string, Buffer | string> = {}) {
  const server = createServer((request, reply) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const version = /^tarballs\/(.+)\.tgz$/.exec(path)?.[1];
    if (version !== undefined && versions[version]) return void reply.end(versions[version].archive);
    if (path in beside) return void reply.end(beside[path]);
    if (path !== name) return void reply.writeHead(404).end('{}');
    const rows = Object.entries(versions).map(([one, { archive, integrity }]) => [
      one,
      {
        name,
        version: one,
        dist: { tarball: `${base}/tarballs/${one}.tgz`, integrity: integrity ?? `sha512-${createHash('sha512').update(archive).digest('base64')}` },
      },
    ]);
    const time = Object.fromEntries(Object.entries(versions).map(([one, { published }]) => [one, published]));
    reply.end(JSON.stringify({ name, 'dist-tags': { latest: Object.keys(versions).at(-1) }, versions: Object.fromEntries(rows), time }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
