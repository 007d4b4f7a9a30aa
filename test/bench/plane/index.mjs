// Figures of the control plane: all of them, or those that are named. `npm run bench:plane [name …]`, after `npm run build`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Each is a program of its own, too, with arguments that its first lines tell. */
const programs = ['bus', 'bus-kills', 'policy', 'search', 'sync', 'write-kills'];
const benches = ['start', 'inference'];

const wanted = process.argv.slice(2);
const names = [...benches, ...programs];
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`There is no '${unknown.join("', '")}'; there are ${names.join(', ')}.`);
for (const name of names) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`\n${name}\n`);
  if (programs.includes(name)) spawnSync(process.execPath, [join(import.meta.dirname, `${name}.mjs`)], { stdio: 'inherit' });
  else await (await import(join(import.meta.dirname, `${name}.bench.mjs`))).default();
}
