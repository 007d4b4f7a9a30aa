// Creates the folder of an empty embedded database once for all test runs. Creating it takes seconds, copying it does not.
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { devDependencies } from '../../package.json';
import { root } from './sources.ts';

const cache = join(root, 'node_modules/.cache/embedded-database');

/** Copies the database into a home before its first start. */
export async function copyEmbeddedFolder(home: string): Promise<void> {
  const folder = join(home, 'database');
  if (existsSync(folder)) return;
  const made = join(cache, devDependencies['@electric-sql/pglite']);
  if (!existsSync(made)) await make(made);
  await cp(made, folder, { recursive: true });
}

async function make(made: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  const half = await mkdtemp(join(cache, 'half-'));
  const { PGlite } = await import('@electric-sql/pglite');
  const db = await PGlite.create({ dataDir: half });
  await db.close();
  // The loser of a race uses the winner's folder.
  await rename(half, made).catch(() => rm(half, { recursive: true, force: true }));
}
