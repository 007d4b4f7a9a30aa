// Figures of the control plane: all of them, or those that are named. `npm run bench:plane [name …]`, after `npm run build`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const names = ['start', 'bus', 'policy', 'search'];
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`There is no '${unknown.join("', '")}'; there are ${names.join(', ')}.`);
for (const name of wanted.length > 0 ? wanted : names) {
  process.stdout.write(`\n${name}\n`);
  spawnSync(process.execPath, [join(import.meta.dirname, `${name}.mjs`)], { stdio: 'inherit' });
}
