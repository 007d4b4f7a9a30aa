// Calls back before and after each file rename. Call it before the first import of a module that imports node:fs.
import { createRequire, syncBuiltinESMExports } from 'node:module';

export function aroundRenames(before, after) {
  const [fs, promises] = ['node:fs', 'node:fs/promises'].map(createRequire(import.meta.url));
  const [{ renameSync }, { rename }] = [fs, promises];
  fs.renameSync = (from, to) => {
    before(String(to));
    renameSync(from, to);
    after(String(to));
  };
  promises.rename = async (from, to) => {
    before(String(to));
    await rename(from, to);
    after(String(to));
  };
  syncBuiltinESMExports();
}
