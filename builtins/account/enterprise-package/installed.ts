// Manages the installed enterprise package: its folder, the previous version beside it, and the signed manifest.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder, isThere } from '#lib/files';
import { recordIn } from '#lib/values';
import type { License } from 'agent-harness/plugins/licensing';
import { readPackageClaims, type PackageClaims } from './package-claims.ts';

/** Stored inside the package folder; plugin loaders ignore it. */
const manifestName = '.package.json';

export interface Installed {
  readonly dir: string;
  /** Reads the installed manifest. `none`: no package is installed. `invalid`: the signature is invalid. */
  read(): Promise<PackageClaims | 'none' | 'invalid'>;
  /** Writes the manifest into an unpacked folder. */
  sign(folder: string, manifest: string): Promise<void>;
  /** Replaces the installed package with the content of a folder and keeps the previous version beside it. */
  replace(folder: string): Promise<void>;
  /** Undoes {@link replace}. */
  restore(): Promise<void>;
  /** Repairs the state that an interrupted replacement left behind. */
  repair(): Promise<void>;
}

export function createInstalled(dir: string, license: Pick<License, 'verify'>): Installed {
  const last = `${dir}.last`;
  const flush = (): Promise<void> => flushFolder(dirname(dir));

  return {
    dir,
    async read() {
      const text = await readFile(join(dir, manifestName), 'utf8').catch(() => undefined);
      if (text === undefined) return (await isThere(dir)) ? 'invalid' : 'none';
      const { manifest } = recordIn(text);
      const claims = typeof manifest === 'string' ? await license.verify('package', manifest) : undefined;
      return (claims && readPackageClaims(claims)) ?? 'invalid';
    },
    async sign(folder, manifest) {
      await writeFile(join(folder, manifestName), `${JSON.stringify({ manifest })}\n`, { mode: 0o600, flag: 'wx', flush: true });
    },
    async replace(folder) {
      if (await isThere(dir)) {
        await rm(last, { recursive: true, force: true });
        await rename(dir, last);
      }
      await rename(folder, dir);
      await flush();
    },
    async restore() {
      await rm(dir, { recursive: true, force: true });
      if (await isThere(last)) await rename(last, dir);
      await flush();
    },
    async repair() {
      if (!(await isThere(dir)) && (await isThere(last))) await rename(last, dir);
    },
  };
}
