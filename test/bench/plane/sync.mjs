// `node test/bench/plane/sync.mjs`: random histories of homes and a plane. `--histories 10000`, `--seed 1`, `--sql 200` plays so many more on
// PostgreSQL, on two nodes. Ends with 1 where a replica differs, a deletion comes back or something acknowledged is lost.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from '../client.mjs';

const asked = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : Number(process.argv[at + 1]);
};
const histories = asked('histories', 10_000);
const sqlHistories = asked('sql', 200);
const seed = asked('seed', 1);

// Where packages are found.
const folder = mkdtempSync(join(root, 'node_modules', '.bench-sync-'));
const outfile = join(folder, 'play.mjs');
let faults = 0;
try {
  await build({
    ...{ entryPoints: [join(root, 'test/unit/builtins/notes-sync/play.ts')], outfile, bundle: true, platform: 'node', format: 'esm', conditions: ['source'] },
    ...{ logLevel: 'silent', external: ['pg', 'pg-native', '@electric-sql/pglite', 'vite'] },
    banner: { js: "import { createRequire as __r } from 'node:module'; const require = __r(import.meta.url);" },
  });
  const { playInMemory, playOnDatabase } = await import(pathToFileURL(outfile).href);
  for (const [where, play, count] of [
    ['in memory', playInMemory, histories],
    ['PostgreSQL, two nodes', playOnDatabase, sqlHistories],
  ]) {
    if (count === 0) continue;
    const began = performance.now();
    const { found, total } = await play(seed, count);
    faults += found.length;
    for (const fault of found.slice(0, 10)) process.stdout.write(`${fault}\n`);
    process.stdout.write(
      `${where}: ${count} histories, ${found.length} faults, ${((performance.now() - began) / 1000).toFixed(1)} s ${JSON.stringify(total)}\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(faults > 0 ? 1 : 0);
