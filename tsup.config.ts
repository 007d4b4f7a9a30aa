// One entry per plugin, so that the directory loader reads what was built the same way as anybody's plugin.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname } from 'node:path';
import { transform } from 'esbuild';
import { defineConfig, type Options } from 'tsup';
import { stockBuiltins, stockPlatform } from './builtins/distribution/stock.ts';
import { listPackages } from './tsup.sbom.ts';
import { noSuffixes, sharedEntries, sharedPackages, smallPackages } from './tsup.packages.ts';

type Named = readonly (readonly [name: string, file: string])[];

/** A folder without an `index.ts` is a library of the platform. */
const platform: Named = readdirSync('plugins')
  .map((name): Named[number] => [name, `plugins/${name}/index.ts`])
  .filter(([, file]) => existsSync(file));
const builtins: Named = readdirSync('builtins', { recursive: true, encoding: 'utf8' })
  .filter((path) => basename(path) === 'index.ts')
  .map((path) => [basename(dirname(path)), `builtins/${path}`]);
const isStock: ReadonlySet<string> = new Set([...stockPlatform, ...stockBuiltins]);
const inFolder = (folder: string, plugins: Named): Named => plugins.map(([name, file]) => [`${folder}/${name}`, file]);

/** Code of threads. Each loads one file, in a quarter of the time that the hundreds take of which its packages consist. */
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
 * `import … from 'node:util'` makes an ES module view of everything that node's module exports, and looks at each value: of `util`
 * that loads the text decoders, of `http` node's own fetch, of `process` the terminal. A tenth of a start. What is taken here is
 * what is named, from the module itself.
 */
const namedBuiltins: NonNullable<Options['plugins']>[number] = {
  name: 'named-builtins',
  renderChunk(code, { type }) {
    if (type !== 'chunk') return undefined;
    const taken: string[] = [];
    // As esbuild writes them: one whole statement, at the beginning of a line.
    const rest = code.replace(
      /^import (?:(\w+)(?:, )?)?(?:\* as (\w+)|\{([^}]*)\})? ?from "([\w:/]+)";$/gm,
      (line: string, ...groups: (string | undefined)[]) => {
        const [base, all, named, path = ''] = groups;
        if (!isBuiltin(path)) return line;
        // By the long name: a package may import `process` itself.
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
 * A quarter of what would be installed, and of the text that a start holds in memory, is indentation. Names and lines stay, so that
 * the trace of a fault can be read.
 */
const withoutIndentation: NonNullable<Options['plugins']>[number] = {
  name: 'without-indentation',
  async renderChunk(code, { type }) {
    if (type !== 'chunk') return undefined;
    const small = await transform(code, { target: 'node20', minifyWhitespace: true, minifySyntax: true, lineLimit: 160, legalComments: 'inline' });
    return { code: small.code };
  },
};

/** fastify and its router load these at once: three servers for one, and an `assert` that brings the drawing of differences with it. */
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
 * The parts of `pg` require each other, and each has a module beside for those who import it, which would be taken here, too: then a
 * class is the default of something. They get what node's `require` gives.
 */
const plainPg: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'plain-pg',
  setup(build) {
    build.onResolve({ filter: /^pg(-|$)/ }, ({ path, kind, importer }) =>
      kind === 'require-call' && path !== 'pg-native' ? { path: createRequire(importer).resolve(path) } : undefined,
    );
  },
};

/** The stock distribution's plugins by name, in one module: what `builtins/distribution/pack.ts` hands on. */
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
 * The libraries that nearly everything uses, as one module: as files of their own they would be shared in as many combinations,
 * each a further file that a start resolves, reads and runs.
 */
const everydayLibraries: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'everyday-libraries',
  setup(build) {
    const names = ['errors', 'async', 'event-loop', 'paths', 'text', 'values', 'hosts', 'hash', 'files'].concat(
      ['hidden-text', 'secrets', 'local-day', 'worker', 'chat-tags', 'sound'], // which a start of the stock server needs, too
    );
    build.onResolve({ filter: new RegExp(`^#lib/(${names.join('|')})$`) }, () => ({ path: 'all', namespace: 'everyday-libraries' }));
    build.onLoad({ filter: /.*/, namespace: 'everyday-libraries' }, () => ({
      contents: names.map((name) => readFileSync(`plugins/lib/${name}.ts`, 'utf8').replace(/^import .* from '\.\/.*';$/gm, '')).join('\n'),
      loader: 'ts',
      resolveDir: 'plugins/lib',
    }));
  },
};

/** What is read late and at once is a file of its own; the package has no folder of installed packages beside it. */
const lateAjv: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'late-ajv',
  setup(build) {
    build.onLoad({ filter: /[\\/]plugins[\\/]lib[\\/]late-ajv\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace("('ajv/dist/2020.js')", "('#ajv')"),
      loader: 'ts',
    }));
  },
};

// Optional and loaded lazily; and parts of fastify that are never reached: we bring our own checks, and log ourselves.
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
  // Bundled, because one file loads several times faster than the hundreds that a package consists of.
  noExternal: [new RegExp(`^(?!(${unbundled.join('|')})($|/))`)],
  external: unbundled,
  esbuildPlugins: [ownUrl, noModuleFinder, lateBuiltins, plainPg, lateAjv, allPlugins, noSuffixes, smallPackages, listPackages],
  // In this order: the first reads what esbuild writes when it may indent.
  plugins: [namedBuiltins, withoutIndentation],
  // CommonJS dependencies call `require`, nearly always for node's own modules.
  banner: {
    js: "const require = (id) => process.getBuiltinModule(id) ?? process.getBuiltinModule('node:module').createRequire(import.meta.url)(id);",
  },
  esbuildOptions(options) {
    // What is imported and what is required is told apart by esbuild itself: `pg` requires what it would otherwise get as a module.
    options.conditions = ['source', 'module'];
    options.legalComments = 'linked';
  },
};

/**
 * Five builds into one folder. In the first, each plugin is a file of its own: a distribution loads those that it lists and no
 * other. In the second they are all in one, for whoever wants them all: a module costs half a millisecond before its
 * first line runs, and there are a hundred. In the third is what others import, apart for the same reason: what it shares with a
 * plugin stands in both. In the fourth are the packages that the first two share, in the fifth what is read late and at once.
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
    // tsup wants entries that are files.
    entry: ['tsup.packages.ts'],
    esbuildOptions(options, context) {
      common.esbuildOptions?.(options, context);
      options.entryPoints = packages.entry;
      // As modules it is a third smaller: what nobody takes of it can be seen.
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
