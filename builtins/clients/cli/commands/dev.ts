// Implements `dev` and `plugins dev`: runs the server in this process, reloads plugins that are added or saved, and reports their errors.
import { statSync, type Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '#lib/errors';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { refuseUse, type CliInput, type CliParts, type RunCommand } from '../cli-parts.ts';
import { createDevReport, type DevReport } from '../dev-report.ts';
import { serve } from './serve.ts';

export const dev: RunCommand = (parts, input, output) => develop(parts, input, output);

/** Implements `plugins dev [path]`, also with a plugin outside the plugin folder. */
export const pluginDev: RunCommand = async (parts, input, output) => {
  const [, named, ...more] = input.positionals;
  if (more.length > 0) return refuseUse(output, "'plugins dev' takes one folder, file or name, or none for the plugin folder.");
  if (named === undefined) return develop(parts, input, output);
  const { userPlugins } = parts.services;
  if (!userPlugins) return serve(parts, input, output);
  const given = userPlugins.locate(named);
  const file = basename(given);
  const isFile = statSync(given).isFile();
  // An index file represents its folder, and a source file its build output.
  return develop(parts, input, output, /^index\.(?:m?js|ts)$/.test(file) ? dirname(given) : isFile ? given.replace(/\.ts$/, '.mjs') : given);
};

async function develop(parts: CliParts, input: CliInput, output: CliOutput, path?: string): Promise<number> {
  const { settings, userPlugins } = parts.services;
  if (!settings || !userPlugins) return serve(parts, input, output);
  const report = createDevReport(output, process.cwd());
  const faults = userPlugins.onFault((fault) => report.fault(fault, parts.services.kernel.report().plugins));
  const watching = settings.watchPlugins({
    ...(path === undefined ? {} : { path }),
    before: () => buildAll(parts, path === undefined ? userPlugins.dir : path, path === undefined, report),
    after: (plugins) => report.rows(plugins.filter(({ origin }) => origin === 'user')),
  });
  try {
    output.out(`Plugins in ${path === undefined ? watching.dir : `${watching.dir}, and ${path},`} run as soon as they are saved.\n`);
    return await serve(parts, input, output);
  } finally {
    await faults.dispose();
    await watching.dispose();
  }
}

/** @param isMany whether the folder contains several plugins instead of being one */
async function buildAll({ services: { pluginLife } }: CliParts, path: string, isMany: boolean, report: DevReport): Promise<void> {
  if (!pluginLife) return;
  const found = [];
  for (const plugin of isMany ? await pluginsIn(path) : [path]) {
    const { faults } = await pluginLife.build(plugin).catch((fault: unknown) => ({ faults: [{ file: plugin, message: messageOf(fault) }] }));
    found.push(...faults);
  }
  report.built(found);
}

async function pluginsIn(dir: string): Promise<string[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch(() => []);
  const isWanted = (entry: Dirent): boolean =>
    entry.isDirectory() ? !entry.name.startsWith('.') && entry.name !== 'node_modules' : /(?<!\.d)\.ts$/.test(entry.name);
  return entries.filter(isWanted).map(({ name }) => join(dir, name));
}
