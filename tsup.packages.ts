// How others' packages go into the server's bundle: with short names inside, and those that more than one build needs only once.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform, type Plugin } from 'esbuild';

/** happy-dom knows every suffix of a domain, for cookies; where it is used here, a page has none. It would be a sixth of it. */
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
 * The names inside of others' packages are a third of what remains of them. Classes that are told apart by their name keep it: a file
 * that has such stays as it is. Our own names stay, so that the trace of a fault can be read.
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

/**
 * Packages that both the plugins as files and the plugins in one need, and none of them before it is used or a server listens: a
 * start would pay for each further file.
 */
const shared =
  /^(?:@apidevtools\/json-schema-ref-parser|@eslint-community\/regexpp|@modelcontextprotocol\/sdk\/.*|@mozilla\/readability|croner|culori\/fn|diff|entities|fastify|ignore|jose|jsonrepair|marked|mime|minisearch|remend|smol-toml|sucrase|uqr|ws|yaml)$/;

const fileOf = (name: string): string => name.replace(/^@/, '').replace(/\.js$/, '').replaceAll('/', '-');

/** Our own code asks for the one file of such a package: `package.json` says where `#shared/…` is. */
export const sharedPackages: Plugin = {
  name: 'shared-packages',
  setup(build) {
    build.onResolve({ filter: shared }, ({ path, importer }) =>
      /[\\/]node_modules[\\/]/.test(importer) ? undefined : { path: `#shared/${fileOf(path)}`, external: true },
    );
  },
};

/** What our own code takes of each shared package, as entries: what nobody takes is left out. */
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

/** Throws where a file takes a shared package in a way from which its names cannot be read. */
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

/** Code of the server: the pages have a build of their own. */
function ownFiles(): readonly string[] {
  return ['kernel', 'plugins', 'builtins'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/(?:^|[\\/])(?:ui|app|guest)[\\/]/.test(path))
      .map((path) => join(folder, path)),
  );
}
