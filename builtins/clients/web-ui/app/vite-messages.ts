// Merges the messages of the page and the built-ins into one file per language; `virtual:catalogues` lists the languages and loads one on demand.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plugin } from 'vite';
import { compressAs } from '#lib/encodings';

const id = 'virtual:catalogues';

/** @param app folder of the page; its `messages` determine the languages */
export function messages(app: string): Plugin {
  const filesOf = (language: string): string[] => [
    join(app, 'messages', `${language}.json`),
    ...foldersIn(join(app, '../../..')).flatMap((group) => foldersIn(group).map((plugin) => join(plugin, 'ui/messages', `${language}.json`))),
  ];
  return {
    name: 'messages',
    resolveId: (name) => (name === id ? `\0${name}` : undefined),
    async load(name) {
      if (name !== `\0${id}`) return undefined;
      const all = readdirSync(join(app, 'messages')).map((file) => basename(file, '.json'));
      const lines = await Promise.all(
        all.toSorted().map(async (language) => {
          const files = filesOf(language).filter((file) => existsSync(file));
          for (const file of files) this.addWatchFile(file);
          const merged = JSON.stringify(Object.assign({}, ...files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as object)));
          const own = `${language}-${createHash('sha256').update(merged).digest('base64url').slice(0, 8)}.json`;
          // Only compressed files are emitted, because six languages would otherwise take a megabyte.
          this.emitFile({ type: 'asset', fileName: `assets/${own}.br`, source: await compressAs('br', Buffer.from(merged), 'best') });
          return `${JSON.stringify(language)}: () => read(${JSON.stringify(own)})`;
        }),
      );
      return `const here = import.meta.url;
async function read(name) {
  const reply = await fetch(new URL(name, here));
  if (!reply.ok) throw new Error(\`\${name}: \${reply.status}\`);
  return reply.json();
}
export const catalogues = { ${lines.join(', ')} };`;
    },
  };
}

/** Returns the names of the folders in a folder, sorted. */
export function foldersIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [join(folder, entry.name)] : []))
    .toSorted();
}
