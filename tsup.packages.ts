// Reduces the size of third-party packages in the server's bundle: minifies their identifiers, and bundles packages that several builds need only once.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform, type Plugin } from 'esbuild';

/** Replaces happy-dom's public suffix list, a sixth of its size, with an empty one. The list is needed only for cookies, which are not used here. */
export const noSuffixes: Plugin = {
  name: 'no-suffixes',
  setup(build) {
    build.onLoad({ filter: /[\\/]happy-dom[\\/].*[\\/]PublicSuffixList\.js$/ }, () => ({
      contents: 'export default { exact: new Set(), wildcard: new Set(), exception: new Set() };',
    }));
  },
};

const smaller = new Map<string, Promise<string>>();

/**
 * Minifies identifiers in third-party packages, a third of their remaining size. Files whose classes are identified by name are left unchanged. First-party
 * names stay, so that stack traces remain readable.
 */
export const smallPackages: Plugin = {
  name: 'small-packages',
  setup(build) {
    const read = async (path: string): Promise<string> => {
      const code = readFileSync(path, 'utf8');
      const isNamed = /\bextends \w*(?:Error|Exception)\b|\bconstructor\.name\b/.test(code) && !/[\\/]happy-dom[\\/]/.test(path);
      return isNamed ? code : (await transform(code, { target: 'node20', minifyIdentifiers: true, legalComments: 'inline' })).code;
    };
    build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
      const contents = smaller.get(path) ?? read(path);
      smaller.set(path, contents);
      return { contents: await contents, loader: 'js' };
    });
  },
};

/** Packages that both builds of the plugins need, but only after startup: an additional file would slow down the start. */
const shared =
  /^(?:@apidevtools\/json-schema-ref-parser|@eslint-community\/regexpp|@modelcontextprotocol\/sdk\/.*|@mozilla\/readability|croner|culori\/fn|diff|entities|fastify|ignore|jose|jsonrepair|marked|mime|minisearch|remend|smol-toml|sucrase|uqr|ws|yaml)$/;

const fileOf = (name: string): string => name.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-');

/** Redirects imports of a shared package to its bundled file, which `package.json` maps to `#shared/…`. */
export const sharedPackages: Plugin = {
  name: 'shared-packages',
  setup(build) {
    build.onResolve({ filter: shared }, ({ path, importer }) =>
      /[\\/]node_modules[\\/]/.test(importer) ? undefined : { path: `#shared/${fileOf(path)}`, external: true },
    );
  },
};

/** Returns an entry per shared package that exports only the names that first-party code imports; the bundler removes the rest. */
export function sharedEntries(): { readonly entry: Record<string, string>; readonly plugin: Plugin } {
  const taken = namesTaken();
  return {
    entry: Object.fromEntries([...taken.keys()].map((name) => [`shared/${fileOf(name)}`, `shared-entry:${name}`])),
    plugin: {
      name: 'shared-entries',
      setup(build) {
        build.onResolve({ filter: /^shared-entry:/ }, ({ path }) => ({ path: path.slice('shared-entry:'.length), namespace: 'shared-entry' }));
        build.onLoad({ filter: /.*/, namespace: 'shared-entry' }, ({ path }) => ({
          contents: `export { ${[...(taken.get(path) ?? [])].sort().join(', ')} } from '${path}';`,
          resolveDir: import.meta.dirname,
        }));
      },
    },
  };
}

/** Returns the imported names of each shared package. Throws if a file imports a shared package in a form that does not list names. */
function namesTaken(): ReadonlyMap<string, ReadonlySet<string>> {
  const taken = new Map<string, Set<string>>();
  for (const file of ownFiles()) {
    const code = readFileSync(file, 'utf8').replace(/^(?:import|export) type [^;]*;$|^\s*(?:\/\/|\*|\/\*).*$/gm, '');
    for (const [, name = ''] of code.matchAll(/(?:\bfrom |(?<!typeof )\bimport\()'([^'.#][^']*)'/g)) {
      if (!shared.test(name)) continue;
      const found = namesIn(code, name);
      if (found.length === 0) throw new Error(`${file}: name what is taken of '${name}', as in: const { parse } = await import('${name}')`);
      taken.set(name, new Set([...(taken.get(name) ?? []), ...found]));
    }
  }
  return taken;
}

function namesIn(code: string, name: string): readonly string[] {
  const quoted = `'${name.replaceAll(/[./]/g, '\\$&')}'`;
  const bare = [...code.matchAll(new RegExp(`^import \\w+(?:, \\{[^}]*\\})? from ${quoted}`, 'gm'))].map(() => 'default');
  const braced = [...code.matchAll(new RegExp(`\\{([^{}]*)\\}\\s*(?:from |= await import\\()${quoted}`, 'g'))].flatMap(([, names = '']) => names.split(','));
  const dotted = [...code.matchAll(new RegExp(`\\(await import\\(${quoted}\\)\\)\\.(\\w+)`, 'g'))].map(([, one = '']) => one);
  const together = [...code.matchAll(/const \[([^\]]*)\] = await Promise\.all\(\[([^]*?)\]\)/g)].flatMap(([, names = '', calls = '']) => {
    const at = [...calls.matchAll(/\bimport\('([^']+)'\)/g)].findIndex(([, one]) => one === name);
    return at < 0 ? [] : ([...names.matchAll(/\{([^}]*)\}/g)][at]?.[1] ?? '').split(',');
  });
  const named = [...braced, ...together].map((one) => one.trim()).filter((one) => one !== '' && !one.startsWith('type '));
  return [...bare, ...named.map((one) => one.split(/ as |:/)[0]?.trim() ?? ''), ...dotted];
}

/** Returns the server's source files. Pages are excluded, because they have a build of their own. */
function ownFiles(): readonly string[] {
  return ['kernel', 'plugins', 'builtins'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/(?:^|[\\/])(?:ui|app|guest)[\\/]/.test(path))
      .map((path) => join(folder, path)),
  );
}
