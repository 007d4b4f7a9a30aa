// Where the built page lies: `dist/web` of the package, seen from the sources as well as from what was built.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder may be missing, where nobody has built. */
export function findBuiltPage(from: string): string {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return join(folder, 'dist/web');
  }
  return join(from, 'web');
}
