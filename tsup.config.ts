// One entry per plugin, so that the directory loader reads what was built the same way as anybody's plugin.
import { readdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { defineConfig, type Options } from 'tsup';

const platform = readdirSync('plugins').map((name) => [`plugins/${name}`, `plugins/${name}/index.ts`]);
const builtins = readdirSync('builtins', { recursive: true, encoding: 'utf8' })
  .filter((path) => basename(path) === 'index.ts')
  .map((path) => [`builtins/${basename(dirname(path))}`, `builtins/${path}`]);

/** Code of threads. Each loads one file, in a quarter of the time that the hundreds take of which its packages consist. */
const threads = {
  'workers/document': 'builtins/tools/web/document-worker.ts',
  'workers/office': 'builtins/tools/files/documents/document-thread.ts',
  'workers/openapi': 'builtins/connections/openapi/compile-worker.ts',
};

/**
 * node-fetch asks `whatwg-url` only where node has no URL of its own; its tables are two thirds of what a first request would
 * load. And it parses with `url.parse`, about which node 22 and later warn the person who runs the program.
 */
const ownUrl: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'own-url',
  setup(build) {
    const contents = `const { resolve, urlToHttpOptions } = process.getBuiltinModule('node:url');
module.exports = { URL, resolve, parse: (text) => urlToHttpOptions(new URL(text)), format: ({ href }) => href };`;
    build.onResolve({ filter: /^(whatwg-url|url)$/ }, ({ path, importer }) =>
      path === 'whatwg-url' || /node-fetch/.test(importer) ? { path, namespace: 'own-url' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'own-url' }, () => ({ contents, loader: 'js' }));
  },
};

/** awilix brings a module finder over the file system that nobody here calls: the kernel is told its plugins. */
const noModuleFinder: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'no-module-finder',
  setup(build) {
    build.onResolve({ filter: /^fast-glob$/ }, ({ path }) => ({ path, namespace: 'no-module-finder' }));
    build.onLoad({ filter: /.*/, namespace: 'no-module-finder' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
};

/**
 * `import … from 'node:http'` makes an ES module view of everything that node's module exports, and to look at its `WebSocket` loads
 * node's own fetch: a tenth of the start from Node 22 on. `require` looks at nothing.
 */
const httpByRequire: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'http-by-require',
  setup(build) {
    build.onResolve({ filter: /^node:http$/ }, ({ path, kind }) => (kind === 'import-statement' ? { path, namespace: 'http-by-require' } : undefined));
    build.onLoad({ filter: /.*/, namespace: 'http-by-require' }, () => ({ contents: "module.exports = process.getBuiltinModule('node:http');", loader: 'js' }));
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
    addresses: 'plugins/connections/addresses.ts',
    ...threads,
    ...(Object.fromEntries([...platform, ...builtins]) as Record<string, string>),
  },
  outDir: 'dist',
  format: 'esm',
  outExtension: () => ({ js: '.mjs' }),
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  splitting: true,
  treeshake: false,
  clean: true,
  silent: true,
  // Bundled, because one file loads several times faster than the hundreds that a package consists of.
  noExternal: [new RegExp(`^(?!(${unbundled.join('|')})($|/))`)],
  external: unbundled,
  esbuildPlugins: [ownUrl, noModuleFinder, httpByRequire],
  // CommonJS dependencies call `require` for node's own modules.
  banner: { js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);" },
  esbuildOptions(options) {
    options.conditions = ['source', 'import', 'module', 'default'];
    options.legalComments = 'linked';
  },
});
