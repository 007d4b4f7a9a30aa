// Builds the code of threads, for tests that run from the sources, when it is missing or older than these.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Options } from 'tsup';
import config from '../../tsup.config.ts';
import { whileNobodyBuilds } from './build-lock.ts';

const root = join(import.meta.dirname, '../..');
// The first build is the one of plugins and threads. Each thread gets its packages into its own file here: the files that the builds share may not be there.
const [{ esbuildPlugins = [], ...options }] = config as [Options, Options];
const ownPlugins = esbuildPlugins.filter(({ name }) => name !== 'shared-packages');

export default function buildThreads(): Promise<void> {
  return whileNobodyBuilds(buildLate);
}

async function buildLate(): Promise<void> {
  const entries = Object.entries(options.entry as Readonly<Record<string, string>>).filter(([name]) => name.startsWith('workers/'));
  const late = entries.filter(([name, source]) => changedAt(join('dist', `${name}.mjs`)) < newestIn(join(source, '..')));
  if (late.length === 0) return;
  await build({ ...options, esbuildPlugins: ownPlugins, config: false, entry: Object.fromEntries(late), clean: false, splitting: false });
}

function newestIn(folder: string): number {
  return Math.max(...['tsup.config.ts', 'npm-shrinkwrap.json', ...readdirSync(join(root, folder)).map((name) => join(folder, name))].map(changedAt));
}

function changedAt(path: string): number {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
