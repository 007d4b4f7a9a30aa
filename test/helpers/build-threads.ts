// Builds the thread code for tests that run from the sources, if it is missing or outdated.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build, type Options } from 'tsup';
import config from '../../tsup.config.ts';
import { whileNobodyBuilds } from './build-lock.ts';

const root = join(import.meta.dirname, '../..');
// The first configuration builds plugins and threads. Each thread bundles its own packages here, because the shared chunks may be missing.
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
