// Adds the app to the desktop's application menu, and removes it.
import { execFile } from 'node:child_process';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { isThere } from '#lib/files';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { Product } from 'agent-harness/plugins/storage';
import { planInstallation, type Installation } from './installation.ts';

const run = promisify(execFile);

export async function install(product: Product, output: CliOutput): Promise<number> {
  const plan = planHere(product);
  for (const { path, text, isProgram } of plan.files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
    if (isProgram === true) await chmod(path, 0o755);
  }
  await runAll(plan.afterwards);
  if (!(await isThere(plan.entry))) {
    output.err(`${plan.entry} could not be created.\n`);
    return 1;
  }
  output.out(`${product.title} was added to the menu: ${plan.entry}\n`);
  if (plan.opensLinks) output.out(`Links that begin with ${product.name}:// open in it.\n`);
  return 0;
}

export async function uninstall(product: Product, output: CliOutput): Promise<number> {
  const plan = planHere(product);
  const was = await isThere(plan.entry);
  for (const path of [plan.entry, ...plan.files.map((file) => file.path)]) await rm(path, { force: true });
  await runAll(plan.afterRemoval);
  output.out(was ? `${product.title} was removed from the menu.\n` : `${product.title} was not in the menu.\n`);
  return 0;
}

function planHere(product: Product): Installation {
  const main = process.argv[1] ?? '';
  return planInstallation(process.platform, { product, node: process.execPath, main, personHome: homedir(), environment: process.env });
}

/** Runs commands that update the menu immediately; some desktops lack these commands. */
async function runAll(commands: Installation['afterwards']): Promise<void> {
  for (const [program, ...args] of commands) await run(program, args).catch(() => undefined);
}
