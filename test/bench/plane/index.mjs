// Figures of the control plane: runs every file of this folder, or those that are named. `npm run bench:plane [name …]`, after `npm run build`.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const wanted = process.argv.slice(2);
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.bench.mjs'));
const names = files.map((file) => file.replace('.bench.mjs', ''));
const unknown = wanted.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`There is no '${unknown.join("', '")}'; there are ${names.join(', ')}.`);
for (const name of names) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`\n${name}\n`);
  const { default: run } = await import(join(import.meta.dirname, `${name}.bench.mjs`));
  await run();
}
