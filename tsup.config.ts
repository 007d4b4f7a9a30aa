// One entry per plugin, so that the directory loader reads what was built the same way as anybody's plugin.
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defineConfig, type Options } from 'tsup';

const platform = readdirSync('plugins').map((name) => [`plugins/${name}`, `plugins/${name}/index.ts`]);
const builtins = readdirSync('builtins', { recursive: true, encoding: 'utf8' })
  .filter((path) => basename(path) === 'index.ts')
  .map((path) => [`builtins/${basename(dirname(path))}`, `builtins/${path}`]);

/** Code of threads. Each loads one file, in a quarter of the time that the hundreds take of which its packages consist. */
const threads = { 'workers/document': 'builtins/tools/web/document-worker.ts' };

/** node-fetch asks `whatwg-url` only where node has no URL of its own; its tables are two thirds of what a first request would load. */
const ownUrl: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'own-url',
  setup(build) {
    build.onResolve({ filter: /^whatwg-url$/ }, ({ path }) => ({ path, namespace: 'own-url' }));
    build.onLoad({ filter: /.*/, namespace: 'own-url' }, () => ({ contents: 'module.exports = { URL: globalThis.URL };', loader: 'js' }));
  },
};

// Optional and loaded lazily; and parts of fastify that are never reached: we bring our own checks, and log ourselves.
const unbundled = ['playwright-core', 'pino', 'light-my-request', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'];

export default defineConfig({
  entry: {
    kernel: 'kernel/index.ts',
    index: 'builtins/distribution.ts',
    main: 'builtins/main.ts',
    client: 'builtins/clients/client/client.ts',
    text: 'builtins/clients/client/text.ts',
    ...threads,
    ...(Object.fromEntries([...platform, ...builtins]) as Record<string, string>),
  },
  outDir: 'dist',
  format: 'esm',
  outExtension: () => ({ js: '.mjs' }),
  target: 'node20',
  platform: 'node',
  splitting: true,
  treeshake: false,
  clean: true,
  silent: true,
  // Bundled, because one file loads several times faster than the hundreds that a package consists of.
  noExternal: [new RegExp(`^(?!(${unbundled.join('|')})($|/))`)],
  external: unbundled,
  esbuildPlugins: [ownUrl],
  // CommonJS dependencies call `require` for node's own modules.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  esbuildOptions(options) {
    options.conditions = ['source', 'import', 'module', 'default'];
    options.legalComments = 'linked';
  },
});
