// Runs a plugin's tests, each in its own process, with access to `agent-harness/testing`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildTypes } from './build-types.ts';

export interface TestRun {
  /** Absolute path of the plugin's folder or file. */
  readonly path: string;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

/** Resolves to `true` if all tests passed. For a plugin without tests, checks only that it loads. */
export async function runPluginTests({ path, signal, onOutput }: TestRun): Promise<boolean> {
  const { folder, tests, isFolder } = await findTests(path);
  const { made, faults } = await buildTypes(isFolder ? folder : path);
  for (const one of made) onOutput(`Made ${one}.\n`);
  for (const { file, message } of faults) onOutput(`${file}: ${message}\n`);
  if (faults.length > 0) return false;
  if (tests.length === 0) onOutput('There is no test beside it (*.test.mjs); it is loaded once.\n');
  const load = `import { startWithPlugin } from 'agent-harness/testing';
try { await (await startWithPlugin(${JSON.stringify(path)})).stop(); console.log('It becomes active.'); }
catch (fault) { console.error(fault.message); process.exitCode = 1; }`;
  const work = tests.length === 0 ? ['--input-type=module', '--eval', load] : ['--test', '--test-reporter=spec', ...tests];
  const { NODE_TEST_CONTEXT: _, NODE_OPTIONS: __, ...env } = process.env;
  const child = spawn(process.execPath, ['--no-warnings', '--import', resolver(), ...work], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], signal });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
  const [code] = (await once(child, 'close')) as [number | null];
  return code === 0;
}

async function findTests(path: string): Promise<{ readonly folder: string; readonly tests: readonly string[]; readonly isFolder: boolean }> {
  const found = await stat(path);
  const isFolder = found.isDirectory() || /^index\.m?js$/.test(basename(path));
  const folder = found.isDirectory() ? path : dirname(path);
  const own = basename(path).replace(/\.m?js$/, '');
  const isTest = (name: string): boolean => /\.test\.m?js$/.test(name) && (isFolder || name.startsWith(`${own}.`));
  return {
    folder,
    isFolder,
    tests: (await readdir(folder))
      .filter(isTest)
      .sort()
      .map((name) => join(folder, name)),
  };
}

/** Returns a module URL that lets tests import this package from any folder. */
function resolver(): string {
  const testing = pathToFileURL(createRequire(import.meta.url).resolve('agent-harness/testing')).href;
  const answer = `(specifier, context, next) => specifier === 'agent-harness/testing' ? { url: ${JSON.stringify(testing)}, shortCircuit: true } : next(specifier, context)`;
  const thread = asAddress(`export const resolve = ${answer};`);
  return asAddress(
    `import * as module from 'node:module'; if (module.registerHooks) module.registerHooks({ resolve: ${answer} }); else module.register(${JSON.stringify(thread)});`,
  );
}

const asAddress = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
