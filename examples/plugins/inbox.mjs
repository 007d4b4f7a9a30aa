// Receives files from other programs: PUT /api/inbox/:name streams up to one gigabyte to disk, and GET returns it with range support.
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const params = { type: 'object', properties: { name: { type: 'string', pattern: '^\\w[\\w.-]{0,99}$' } }, required: ['name'] };

export const manifest = { name: 'inbox', errors: { NOT_FOUND: { message: "There is no file '{name}' in the inbox.", status: 404 } } };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const folder = registry.plugin.dataDir;
  let uploads = 0;
  registry.add('route', {
    key: 'PUT /api/inbox/:name',
    summary: 'Keeps a file.',
    tag: 'examples',
    permission: 'inbox.write',
    bodyKind: 'stream',
    bodyLimit: 2 ** 30,
    schema: { params, reply: { type: 'object', properties: { bytes: { type: 'integer' } }, required: ['bytes'] } },
    async handle({ params: { name }, body, signal }) {
      await mkdir(folder, { recursive: true });
      const part = join(folder, `.${uploads++}.part`);
      try {
        await pipeline(body, createWriteStream(part), { signal });
        await rename(part, join(folder, name));
      } finally {
        await rm(part, { force: true });
      }
      return { bytes: (await stat(join(folder, name))).size };
    },
  });
  registry.add('route', {
    key: 'GET /api/inbox/:name',
    summary: 'Answers a file that was kept.',
    tag: 'examples',
    permission: 'inbox.read',
    mediaType: 'application/octet-stream',
    schema: { params },
    async handle({ params: { name } }) {
      const handle = await open(join(folder, name)).catch(() => undefined);
      const found = await handle?.stat();
      if (!found?.isFile()) throw (await handle?.close(), registry.error('NOT_FOUND', { name }));
      // The file is read while it is sent, so a gigabyte needs no memory.
      return { content: { handle, byteLength: found.size }, type: 'application/octet-stream', tag: `${found.mtimeMs}-${found.size}`, download: name };
    },
  });
}
