// What is installed: the folder, beside it the one before, and the signed manifest that says what it is.
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { flushFolder, isThere } from 'agent-harness/lib/files';
import { recordIn } from 'agent-harness/lib/values';
import type { License } from 'agent-harness/plugins/licensing';
import { readPackageClaims, type PackageClaims } from './package-claims.ts';

/** Inside of the folder; plugin loaders leave it alone. */
const manifestName = '.package.json';

export interface Installed {
  readonly dir: string;
  /** `none`: nothing is there. `invalid`: something that nobody signed. */
  read(): Promise<PackageClaims | 'none' | 'invalid'>;
  /** Writes the manifest into a folder that was unpacked. */
  sign(folder: string, manifest: string): Promise<void>;
  /** Puts a folder in the place of what is installed, which is kept beside. */
  replace(folder: string): Promise<void>;
  /** Takes {@link replace} back. */
  restore(): Promise<void>;
  /** Mends what a program that ended in the middle left behind. */
  mend(): Promise<void>;
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
    async mend() {
      if (!(await isThere(dir)) && (await isThere(last))) await rename(last, dir);
    },
  };
}
