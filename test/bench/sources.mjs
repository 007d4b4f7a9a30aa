// The sources as they are, for benchmarks of what has no door of its own in the build.
import { join } from 'node:path';
import { createServer } from 'vite';

/** `load(path)` imports a file by its path from the project's root. The tools import their code on first use, so it stays open until `close()`. */
export async function openSources() {
  const root = join(import.meta.dirname, '../..');
  const resolve = { conditions: ['source', 'node', 'import', 'module', 'default'] };
  const sources = await createServer({
    root,
    configFile: false,
    logLevel: 'error',
    server: { middlewareMode: true, watch: null, ws: false },
    optimizeDeps: { noDiscovery: true },
    resolve,
    ssr: { resolve },
  });
  return { load: (path) => sources.ssrLoadModule(join(root, path)), close: () => sources.close() };
}
