// Registers the plugin package of paid tiers: the operator signs and publishes it; services download it after sign-in.
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
    NOT_FOUND: { message: 'The package was not found.', status: 404 },
    NOT_PACKED: { message: "The folder '{dir}' cannot be packed: {why}", status: 400 },
    VERSION: { message: "The version '{version}' cannot be published: {why}", status: 409 },
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
    summary: 'Packs and signs a folder of plugins that services of paid tiers download and load.',
    usage: '<folder>',
    options: {
      version: { type: 'string', description: 'Version of the package, such as 1.4.2; must be newer than the previous one.' },
      'min-version': { type: 'string', description: 'Oldest version of the program that can load the package; default: any.' },
      rollback: { type: 'boolean', description: 'Lets the package replace a newer installed version.' },
    },
    async run({ positionals: [folder, ...more], options }, output) {
      const { version, 'min-version': minVersion, rollback } = options;
      const dir = resolve(product.startFolder, folder ?? '');
      if (folder === undefined || more.length > 0)
        throw registry.error('WRONG_USE', { why: 'One plugin folder and a version are required: package FOLDER --version 1.4.2.' });
      for (const one of [version, ...(minVersion === undefined ? [] : [minVersion])]) {
        if (typeof one !== 'string') throw registry.error('WRONG_USE', { why: 'The version is missing. Add --version 1.4.2.' });
        if (!isVersion(one)) throw registry.error('VERSION', { version: one, why: 'a version has the form 1.4.2.' });
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
      if (made === 'exists') throw registry.error('VERSION', { version, why: 'this version is already published and cannot be changed.' });
      if (made === 'older')
        throw registry.error('VERSION', { version, why: 'a newer version is already published. To go back to an older version, add --rollback.' });
      output.out(`${made.version}: ${made.size} bytes, SHA-256 ${made.sha256}\n`);
      return 0;
    },
  });

  registry.add('route', {
    key: 'GET /api/enterprise/package',
    summary: 'Returns the signed manifest of the last published package and the address of its archive.',
    tag: 'package',
    permission,
    entitlement,
    schema: {
      reply: Type.Object(
        {
          version: Type.String(),
          sha256: Type.String(),
          size: Type.Integer({ description: 'Archive size in bytes.' }),
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
    summary: 'Returns the archive of a package, or a range of it.',
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
