// Builds the server with one entry per plugin, so that the plugin loader handles built-in and third-party plugins alike.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname } from 'node:path';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { stockBuiltins, stockPlatform } from './builtins/distribution/stock.ts';
import { listPackages } from './tsup.sbom.ts';
import { noSuffixes, sharedEntries, sharedPackages, smallPackages } from './tsup.packages.ts';

type Named = readonly (readonly [name: string, file: string])[];

/** A folder without an `index.ts` is a platform library, not a plugin. */
const platform: Named = readdirSync('plugins')
  .map((name): Named[number] => [name, `plugins/${name}/index.ts`])
  .filter(([, file]) => existsSync(file));
const builtins: Named = readdirSync('builtins', { recursive: true, encoding: 'utf8' })
  .filter((path) => basename(path) === 'index.ts')
  .map((path) => [basename(dirname(path)), `builtins/${path}`]);
const isStock: ReadonlySet<string> = new Set([...stockPlatform, ...stockBuiltins]);
const inFolder = (folder: string, plugins: Named): Named => plugins.map(([name, file]) => [`${folder}/${name}`, file]);

/** Entry points of worker threads. Each is bundled into one file, which loads four times faster than its packages' hundreds of files. */
const threads = {
  'workers/document': 'builtins/tools/web/document-worker.ts',
  'workers/office': 'builtins/tools/files/documents/document-thread.ts',
  'workers/pdf': 'builtins/tools/files/documents/pdf-worker.ts',
  'workers/search': 'builtins/tools/files/search/search-worker.ts',
  'workers/openapi': 'builtins/connections/openapi/compile-worker.ts',
  'workers/plugin': 'builtins/distribution/plugin-host/child.ts',
  'workers/embedded-database': 'builtins/control-plane/plane-database/embedded-thread.ts',
};

/**
 * Replaces `whatwg-url` and `url.parse` in node-fetch. node-fetch needs `whatwg-url` only on Node versions without `URL`, and its tables are two thirds of the
 * code that the first request loads. `url.parse` prints a deprecation warning on Node 22 and later.
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

/** Removes the file-system module finder of awilix, which the kernel does not use. */
const noModuleFinder: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'no-module-finder',
  setup(build) {
    build.onResolve({ filter: /^fast-glob$/ }, ({ path }) => ({ path, namespace: 'no-module-finder' }));
    build.onLoad({ filter: /.*/, namespace: 'no-module-finder' }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
};

/**
 * Reads only the imported names of Node's built-in modules. An `import … from 'node:util'` makes Node evaluate every export of the module: the text decoders of
 * `util`, the fetch of `http`, the terminal of `process`. That takes a tenth of the startup time.
 */
const namedBuiltins: NonNullable<Options['plugins']>[number] = {
  name: 'named-builtins',
  renderChunk(code, { type }) {
    if (type !== 'chunk') return undefined;
    const taken: string[] = [];
    // esbuild writes each import as one complete statement at the beginning of a line.
    const rest = code.replace(
      /^import (?:(\w+)(?:, )?)?(?:\* as (\w+)|\{([^}]*)\})? ?from "([\w:/]+)";$/gm,
      (line: string, ...groups: (string | undefined)[]) => {
        const [base, all, named, path = ''] = groups;
        if (!isBuiltin(path)) return line;
        // Uses `globalThis.process`, because a package may itself import a binding named `process`.
        const module = `globalThis.process.getBuiltinModule("${path}")`;
        for (const name of [base, all]) if (name !== undefined) taken.push(`const ${name} = ${module};`);
        if (named !== undefined) taken.push(`const {${named.replaceAll(' as ', ': ')}} = ${module};`);
        return '';
      },
    );
    return { code: rest.replace(/^const require = .*$/m, (line) => [line, ...taken].join('\n')) };
  },
};

/**
 * Removes indentation, a quarter of the installed size and of the code that a running server holds in memory. Names and line breaks stay, so that stack traces
 * remain readable.
 */
const withoutIndentation: NonNullable<Options['plugins']>[number] = {
  name: 'without-indentation',
  async renderChunk(code, { type }) {
    if (type !== 'chunk') return undefined;
    const small = await transform(code, { target: 'node20', minifyWhitespace: true, minifySyntax: true, lineLimit: 160, legalComments: 'inline' });
    return { code: small.code };
  },
};

/**
 * Loads some built-in modules on first use. fastify and its router import three server modules of which one is used, and `assert`, which loads a diff renderer.
 */
const lateBuiltins: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'late-builtins',
  setup(build) {
    const late = (name: string): string => `const late = (method) => (...args) => process.getBuiltinModule('${name}')[method](...args);`;
    const contents: Readonly<Record<string, string>> = {
      'node:assert': "module.exports = (value, message) => void (value || process.getBuiltinModule('node:assert').fail(message));",
      'node:dns': `${late('node:dns')} module.exports = { lookup: late('lookup') };`,
      'node:https': `${late('node:https')} module.exports = { createServer: late('createServer') };`,
      'node:http2': `${late('node:http2')} module.exports = { createServer: late('createServer'), createSecureServer: late('createSecureServer') };`,
    };
    build.onResolve({ filter: /^node:(assert|dns|https|http2)$/ }, ({ path, importer }) =>
      /[\\/](fastify|find-my-way)[\\/]/.test(importer) ? { path, namespace: 'late-builtins' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'late-builtins' }, ({ path }) => ({ contents: contents[path] ?? '', loader: 'js' }));
  },
};

/**
 * Resolves the internal `require` calls of `pg` as Node does. Otherwise esbuild would select the ES module variant of each part, which wraps the exported class
 * in a `default` property.
 */
const plainPg: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'plain-pg',
  setup(build) {
    build.onResolve({ filter: /^pg(-|$)/ }, ({ path, kind, importer }) =>
      kind === 'require-call' && path !== 'pg-native' ? { path: createRequire(importer).resolve(path) } : undefined,
    );
  },
};

/** Generates a module that exports the stock distribution's plugins by name, for `builtins/distribution/pack.ts`. */
const allPlugins: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'all-plugins',
  setup(build) {
    const ofStock = (plugins: Named): Named => plugins.filter(([name]) => isStock.has(name));
    const groups = Object.entries({ platform: ofStock(platform), builtins: ofStock(builtins) });
    const imports = groups.flatMap(([group, plugins]) => plugins.map(([, file], at) => `import * as ${group}${at} from './${file}';`));
    const exports = groups.map(([group, plugins]) => `export const ${group} = { ${plugins.map(([name], at) => `'${name}': ${group}${at}`).join(', ')} };`);
    build.onResolve({ filter: /^all-plugins$/ }, ({ path }) => ({ path, namespace: 'all-plugins' }));
    build.onLoad({ filter: /.*/, namespace: 'all-plugins' }, () => ({
      contents: [...imports, ...exports].join('\n'),
      loader: 'js',
      resolveDir: import.meta.dirname,
    }));
  },
};

/**
 * Combines the most widely used library modules into one. Otherwise code splitting would emit a separate file for each combination of them, and startup would
 * resolve, read and run each file.
 */
const everydayLibraries: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'everyday-libraries',
  setup(build) {
    const names = ['errors', 'async', 'event-loop', 'paths', 'text', 'values', 'hosts', 'hash', 'files'].concat(
      ['hidden-text', 'secrets', 'local-day', 'worker', 'chat-tags', 'sound'], // also needed at startup
    );
    build.onResolve({ filter: new RegExp(`^#lib/(${names.join('|')})$`) }, () => ({ path: 'all', namespace: 'everyday-libraries' }));
    build.onLoad({ filter: /.*/, namespace: 'everyday-libraries' }, () => ({
      contents: names.map((name) => readFileSync(`plugins/lib/${name}.ts`, 'utf8').replace(/^import .* from '\.\/.*';$/gm, '')).join('\n'),
      loader: 'ts',
      resolveDir: 'plugins/lib',
    }));
  },
};

/** Loads ajv from its own bundled file, because it is needed only after startup and the published package contains no `node_modules`. */
const lateAjv: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'late-ajv',
  setup(build) {
    build.onLoad({ filter: /[\\/]plugins[\\/]lib[\\/]late-ajv\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace("('ajv/dist/2020.js')", "('#ajv')"),
      loader: 'ts',
    }));
  },
};

// Optional packages that are loaded on demand, and parts of fastify that are never used, because the server has its own validation and logging.
const unbundled = [
  'playwright-core',
  '@electric-sql/pglite',
  'pg-native',
  'pino',
  'light-my-request',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
];

const common: Options = {
  outDir: 'dist',
  format: 'esm',
  outExtension: () => ({ js: '.mjs' }),
  target: 'node20',
  platform: 'node',
  removeNodeProtocol: false,
  splitting: true,
  treeshake: false,
  silent: true,
  // Bundled, because one file loads several times faster than the hundreds of files of a package.
  noExternal: [new RegExp(`^(?!(${unbundled.join('|')})($|/))`)],
  external: unbundled,
  esbuildPlugins: [ownUrl, noModuleFinder, lateBuiltins, plainPg, lateAjv, allPlugins, noSuffixes, smallPackages, listPackages],
  // The order matters: the first plugin needs the line layout that esbuild writes before minification.
  plugins: [namedBuiltins, withoutIndentation],
  // CommonJS dependencies call `require`, mostly for Node's built-in modules.
  banner: {
    js: "const require = (id) => process.getBuiltinModule(id) ?? process.getBuiltinModule('node:module').createRequire(import.meta.url)(id);",
  },
  esbuildOptions(options) {
    // No `import` condition: esbuild itself distinguishes imports from `require` calls, and `pg` would otherwise receive an ES module from a `require` call.
    options.conditions = ['source', 'module'];
    options.legalComments = 'linked';
  },
};

/**
 * Runs five builds into one folder. 1: each plugin as a separate file, for distributions that load only some plugins. 2: all plugins in one file, because each
 * of the hundred modules costs half a millisecond before its first line runs. 3: the entry points for importers of the package; code that they share with
 * plugins is duplicated to keep startup fast. 4: the packages that builds 1 and 2 share. 5: ajv, which is loaded on demand.
 */
const bundled: Options = { ...common, esbuildPlugins: [...(common.esbuildPlugins ?? []), everydayLibraries, sharedPackages] };
const packages = sharedEntries();

export default defineConfig([
  { ...bundled, entry: { ...threads, ...Object.fromEntries([...inFolder('plugins', platform), ...inFolder('builtins', builtins)]) } },
  {
    ...bundled,
    entry: {
      kernel: 'kernel/index.ts',
      index: 'builtins/distribution/run.ts',
      main: 'builtins/distribution/main.ts',
      pack: 'builtins/distribution/pack.ts',
    },
  },
  {
    ...common,
    esbuildPlugins: [...(common.esbuildPlugins ?? []), sharedPackages],
    entry: {
      client: 'builtins/clients/client/client.ts',
      lib: 'plugins/lib/public.ts',
      tiers: 'plugins/licensing/tiers.ts',
      view: 'plugins/views/view.ts',
      transcript: 'plugins/transcript/transcript.ts',
      'transcript-events': 'plugins/transcript/transcript-events.ts',
      testing: 'builtins/connections/plugin-life/testing/testing.ts',
    },
  },
  {
    ...common,
    esbuildPlugins: [packages.plugin, ...(common.esbuildPlugins ?? [])],
    // tsup requires entries that are existing files; `esbuildOptions` replaces this entry.
    entry: ['tsup.packages.ts'],
    esbuildOptions(options, context) {
      common.esbuildOptions?.(options, context);
      options.entryPoints = packages.entry;
      // The ES module variant is a third smaller, because esbuild can remove unused exports from it.
      options.alias = { sucrase: 'sucrase/dist/esm/index.js' };
    },
  },
  {
    ...common,
    format: 'cjs',
    outExtension: () => ({ js: '.cjs' }),
    splitting: false,
    banner: {},
    plugins: [withoutIndentation],
    entry: { ajv: createRequire(import.meta.url).resolve('ajv/dist/2020.js') },
  },
]);
