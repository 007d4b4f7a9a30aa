// Takes the indentation out of the declarations that were built: a fifth of them, and nobody reads them but programs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../../dist/types');
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!path.endsWith('.d.ts')) continue;
  const file = join(folder, path);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^ +/gm, ''));
}
