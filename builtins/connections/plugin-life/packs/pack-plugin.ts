// Makes a pack of a plugin: one archive with its files and the signed sheet that says what they are.
import type { KeyObject } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import type { UserPlugins } from 'agent-harness/plugins/settings';
import type { PackedPlugin } from 'agent-harness/builtins/connections/plugin-life';
import { failure, messageOf } from 'agent-harness/lib/errors';
import { sha256 } from 'agent-harness/lib/hash';
import { textStart } from 'agent-harness/lib/text';
import { isVersion } from 'agent-harness/lib/versions';
import { buildTypes } from '../author/build-types.ts';
import { fingerprintOf, rowsOf, sheetName, signSheet } from './pack-sheet.ts';
import { entryOf, packageOf, pluginFiles } from './plugin-files.ts';
import { limits, writeArchive } from './tar.ts';

export interface PackOrder {
  /** Of the plugin: its folder or its file. Absolute. */
  readonly path: string;
  /** Where the pack goes; beside the folder that it is called from, as `name-version.tgz`, when left out. */
  readonly out?: string;
  /** In place of the one in `package.json`. */
  readonly version?: string;
  readonly key: KeyObject;
}

export async function packPlugin({ path, out, version: wanted, key }: PackOrder, userPlugins: Pick<UserPlugins, 'inspect'>): Promise<PackedPlugin> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true;
  const [fault] = (await buildTypes(path)).faults;
  if (fault) throw failure(`${fault.file}: ${fault.message}`);
  const files = await pluginFiles(path);
  if (files.has(sheetName)) throw failure(`It has a file ${sheetName}, which is made while it is packed.`);
  const entry = entryOf(files);
  const { version: stated, description = '', dependencies } = packageOf(files);
  if (Object.keys(dependencies ?? {}).length > 0) {
    throw failure('Its package.json has dependencies, which nobody installs for it: bundle them into its own files, and name them as devDependencies.');
  }
  const version = wanted ?? stated;
  if (typeof version !== 'string' || !isVersion(version))
    throw failure('It needs a version such as 1.0.0: in a package.json beside its index, or with --release.');
  const { manifest } = await userPlugins.inspect(isFolder ? join(path, entry) : path).catch((fault: unknown) => {
    throw failure(`What it says about itself cannot be read: ${messageOf(fault)}`);
  });
  const place = isFolder ? path : /^index\.m?js$/.test(basename(path)) ? dirname(path) : path.replace(/\.m?js$/, '');
  const name = manifest.name ?? basename(place);
  const { api = 1, isolation = 'process', capabilities = {}, requires = [], optional = [] } = manifest;
  const rows = rowsOf(files);
  const sheet = signSheet(
    {
      ...{ format: 1 as const, name, version, description: textStart(String(description), 500), api: { from: api, to: api } },
      ...{ isolation, capabilities, services: [...requires, ...optional], files: rows },
    },
    key,
  );
  const archive = await writeArchive(new Map([...files, [sheetName, Buffer.from(`${JSON.stringify(sheet, undefined, 2)}\n`)]]));
  if (archive.byteLength > limits.archiveBytes) throw failure(`The pack would have more than ${limits.archiveBytes / 1024 / 1024} MB.`);
  const target = resolve(out ?? `${name}-${version}.tgz`);
  await writeFile(target, archive, { mode: 0o644 });
  const { isolation: tier, key: publicKey } = sheet;
  return {
    ...{ path: target, name, version, description: sheet.description, sha256: sha256(archive), size: archive.byteLength, files: rows.length },
    ...{ key: publicKey, fingerprint: fingerprintOf(publicKey), isolation: tier, capabilities: sheet.capabilities, services: sheet.services },
  };
}
