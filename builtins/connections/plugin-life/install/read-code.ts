// Finds security-relevant properties of a plugin's code: used Node modules, native code, install scripts, and code generated at run time.
import { builtinModules } from 'node:module';
import { packageOf } from '../packs/plugin-files.ts';

const builtins = new Set(builtinModules);
const scripts = ['preinstall', 'install', 'postinstall', 'prepare'] as const;
const binary = /\.(node|wasm|dll|so|dylib|exe)$/i;

/** Returns one sentence per finding. The text search is incomplete, because names can be composed at run time. */
export function notesOnCode(files: ReadonlyMap<string, Uint8Array>): string[] {
  const taken = new Set<string>();
  const made = new Set<string>();
  for (const [path, content] of files) {
    if (!/\.[cm]?js$/.test(path)) continue;
    const code = Buffer.from(content).toString('utf8');
    for (const [, name = ''] of code.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*|\bgetBuiltinModule\s*\(\s*)['"`](?:node:)?([\w/]+)['"`]/g)) {
      if (builtins.has(name)) taken.add(name);
    }
    if (/\beval\s*\(|\bnew Function\b|\bcreateRequire\b|\bimport\s*\(\s*(?!['"`])/.test(code)) made.add(path);
  }
  const native = [...files.keys()].filter((path) => binary.test(path));
  const { scripts: declared } = packageOf(files);
  const would = scripts.filter((name) => Object.hasOwn(declared ?? {}, name));
  return [
    ...(taken.size === 0 ? [] : [`Its code uses these Node modules: ${[...taken].sort().join(', ')}.`]),
    ...(made.size === 0 ? [] : [`These files create or load code by names that are computed at run time: ${[...made].sort().join(', ')}.`]),
    ...(native.length === 0 ? [] : [`It contains native code: ${native.join(', ')}.`]),
    ...(would.length === 0 ? [] : [`Its package.json has install scripts (${would.join(', ')}), which never run here.`]),
  ];
}
