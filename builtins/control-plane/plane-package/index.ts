// Registers the plugin package of paid tiers: the operator publishes and signs it; services download it after the sign-in.
import { resolve } from 'node:path';
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import { isVersion } from '#lib/versions';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-keys';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/licensing';
import type {} from 'agent-harness/plugins/storage';
import { createPackages, tables } from './packages.ts';

export const manifest = {
  name: 'plane-package',
  requires: ['database', 'planeKeys', 'product'],
  errors: {
    NOT_FOUND: { message: 'There is no such package.', status: 404 },
    NOT_PACKED: { message: "'{dir}' was not packed: {why}", status: 400 },
    VERSION: { message: "'{version}' was not published: {why}", status: 409 },
    WRONG_USE: { message: '{why}', status: 400 },
  },
} as const satisfies PluginManifest;

const strict = { additionalProperties: false } as const;
/** Every paid tier includes this entitlement. */
const entitlement = 'pro.cloud_sync';
const permission = 'package.read';

export function register(registry: Registry<typeof manifest>): void {
  const { database, planeKeys, product } = registry.services;
  registry.add('migration', { number: 1, name: 'packages', sql: tables });
  const packages = createPackages(database, planeKeys);

  registry.add('cli_command', {
    name: 'package',
    summary: 'Packs and signs a folder of plugins, which services of paid tiers fetch and load.',
    usage: '<folder>',
    options: {
      version: { type: 'string', description: 'As in 1.4.2; newer than the one before.' },
      'min-version': { type: 'string', description: 'Of the program that loads it; none when left out.' },
      rollback: { type: 'boolean', description: 'Replaces a newer one that is installed.' },
    },
    async run({ positionals: [folder, ...more], options }, output) {
      const { version, 'min-version': minVersion, rollback } = options;
      const dir = resolve(product.startFolder, folder ?? '');
      if (folder === undefined || more.length > 0)
        throw registry.error('WRONG_USE', { why: 'Name one folder of plugins, and its version: package FOLDER --version 1.4.2.' });
      for (const one of [version, ...(minVersion === undefined ? [] : [minVersion])]) {
        if (typeof one !== 'string') throw registry.error('WRONG_USE', { why: 'Say its version: --version 1.4.2.' });
        if (!isVersion(one)) throw registry.error('VERSION', { version: one, why: 'a version looks like 1.4.2.' });
      }
      const { packFolder } = await import('./pack-folder.ts');
      const archive = await packFolder(dir).catch((fault: unknown) => {
        throw registry.error('NOT_PACKED', { dir, why: messageOf(fault) }, fault);
      });
      const made = await packages.publish({
        version: version as string,
        archive,
        isRollback: rollback === true,
        ...(typeof minVersion === 'string' ? { minVersion } : {}),
      });
      if (made === 'exists') throw registry.error('VERSION', { version, why: 'there is one of that version; what was published never changes.' });
      if (made === 'older') throw registry.error('VERSION', { version, why: 'a newer one was published. To go back behind it, add --rollback.' });
      output.out(`${made.version}: ${made.size} bytes, SHA-256 ${made.sha256}\n`);
      return 0;
    },
  });

  registry.add('route', {
    key: 'GET /api/enterprise/package',
    summary: 'The package published last: its signed manifest, and the address of its archive.',
    tag: 'package',
    permission,
    entitlement,
    schema: {
      reply: Type.Object(
        {
          version: Type.String(),
          sha256: Type.String(),
          size: Type.Integer({ description: 'Bytes of the archive.' }),
          manifest: Type.String({ description: 'Compact JWS of type package+jws: version, sha256, size, minVersion?, rollback?.' }),
          archive: Type.String({ description: 'Path of the archive.' }),
        },
        strict,
      ),
    },
    async handle() {
      const newest = await packages.newest();
      if (!newest) throw registry.error('NOT_FOUND');
      return { ...newest, archive: `/api/enterprise/package/${newest.version}` };
    },
  });
  registry.add('route', {
    key: 'GET /api/enterprise/package/:version',
    summary: 'The archive of a package, or a part of it.',
    tag: 'package',
    permission,
    entitlement,
    schema: { params: Type.Object({ version: Type.String({ maxLength: 400 }) }, strict) },
    mediaType: 'application/zip',
    async handle({ params }) {
      const { version } = params as { readonly version: string };
      const found = isVersion(version) ? await packages.archive(version) : undefined;
      if (!found) throw registry.error('NOT_FOUND');
      return { content: found.content, type: 'application/zip', tag: found.sha256, isImmutable: true };
    },
  });
}
