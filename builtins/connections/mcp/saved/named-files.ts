// Finds the workspace files that a command would run: files that the command names, and local files that those files load.
import { constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sha256 } from '#lib/hash';
import { isWithin } from '#lib/paths';
import type { CommandSpec } from './server-spec.ts';

export interface NamedFile {
  /** Real path. */
  readonly path: string;
  /** Path relative to the workspace. */
  readonly shown: string;
  /** Hash of the content, in hex. */
  readonly digest: string;
}

const mostWords = 1_000;
const mostFiles = 500;
/** Maximum size of a hashed file in bytes. A larger file is identified by its size and time, because hashing it after each change would take too long. */
const largestRead = 16 * 1024 * 1024;
/** Extensions that runners add to a name. */
const endings = ['', '.js', '.mjs', '.cjs', '.ts', '.mts', '.cts', '.py', '.sh', '.rb'];
const entries = ['package.json', 'index.js', 'index.mjs', 'index.cjs', 'index.ts', '__main__.py', '__init__.py'];
/** Programs that run the content of a folder passed as an argument. */
const interpreters = /^(node|tsx|ts-node|bun|deno|python[\d.]*)$/;
/** Configuration files that runners load from a folder argument or from their working folder. */
const manifests: readonly { readonly programs: RegExp; readonly files: readonly string[] }[] = [
  { programs: /^(npm|pnpm|yarn|bun)$/, files: ['package.json', '.npmrc', '.yarnrc.yml', 'bunfig.toml'] },
  { programs: /^(npx|pnpx|bunx)$/, files: ['.npmrc', 'bunfig.toml'] },
  { programs: /^deno$/, files: ['deno.json', 'deno.jsonc'] },
  { programs: /^(uv|poetry|pipenv|hatch)$/, files: ['pyproject.toml', 'uv.toml', 'Pipfile'] },
  { programs: /^g?make$/, files: ['Makefile', 'makefile', 'GNUmakefile'] },
  { programs: /^(just|task|cargo|bundle|rake)$/, files: ['justfile', 'Taskfile.yml', 'Cargo.toml', 'Gemfile', 'Rakefile'] },
  { programs: /^(docker|podman|docker-compose)$/, files: ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml', 'Dockerfile'] },
];

/** Returns files sorted by path. Never rejects: an unreadable file cannot be run. */
export async function findNamedFiles(spec: CommandSpec, workspaceRoot: string): Promise<NamedFile[]> {
  const root = await realpath(workspaceRoot).catch(() => workspaceRoot);
  const found = new Map<string, NamedFile>();
  const programs = [spec.command, ...spec.args.flatMap(piecesOf)].map((word) => basename(word));
  const obeyed = manifests.filter((one) => programs.some((name) => one.programs.test(name))).flatMap(({ files }) => files);
  const inFolder = programs.some((name) => interpreters.test(name)) ? [...obeyed, ...entries] : obeyed;
  const waiting = [...candidatesOf(spec, root), ...obeyed.map((file) => join(spec.cwd ?? root, file))];
  for (let path = waiting.shift(); path !== undefined && found.size < mostFiles; path = waiting.shift()) {
    const one = await readInside(path, root);
    if (!one || found.has(one.path)) continue;
    if (one.kind === 'folder') {
      waiting.push(...inFolder.map((file) => join(one.path, file)));
      continue;
    }
    found.set(one.path, { path: one.path, shown: relative(root, one.path), digest: one.digest });
    waiting.push(...loadedBy(one.path, one.text));
  }
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function candidatesOf({ command, args, env, cwd }: CommandSpec, root: string): string[] {
  const from = cwd ?? root;
  // A program without a slash is searched for in PATH, never in the workspace.
  const program = command.includes('/') ? [command] : [];
  const words = [...program, ...[...args, ...Object.values(env)].flatMap(piecesOf)].slice(0, mostWords);
  return words.flatMap((word) => pathsOf(word, from));
}

/** Returns a word and those of its parts that may name a file: `--config=x`, `-r./x`, `sh -c "node x"`, `a:b`. */
function piecesOf(word: string): string[] {
  return [word, ...(/^-[A-Za-z]./.test(word) ? [word.slice(2)] : []), ...word.split(/[\s'"`=;&|<>(),:]+/)].filter(
    (piece) => piece !== '' && piece.length <= 4_096,
  );
}

function pathsOf(word: string, from: string): string[] {
  if (word.includes('\0')) return [];
  if (word.startsWith('file:')) return URL.canParse(word) ? [fileURLToPath(word)] : [];
  const module = /^\w+(\.\w+)+$/.test(word) ? [word.replaceAll('.', '/')] : [];
  return [word, ...module].flatMap((name) => endings.map((ending) => resolve(from, `${name}${ending}`)));
}

/** Returns the local files that the text of a script refers to. */
function loadedBy(path: string, text: string): string[] {
  const folder = dirname(path);
  if (path.endsWith('.py')) {
    const modules = [...text.matchAll(/^[ \t]*(?:from|import)[ \t]+\.*([A-Za-z_][\w.]*)/gm)].flatMap(([, name = '']) => [name, name.split('.')[0] ?? '']);
    return modules.flatMap((name) => [join(folder, `${name.replaceAll('.', '/')}.py`), join(folder, name.replaceAll('.', '/'))]);
  }
  const specifiers = [...text.matchAll(/["'`](\.{1,2}\/[^"'`\n\0]{1,1000})["'`]/g)].map(([, name = '']) => name);
  // `x.js` may refer to the source file `x.ts`.
  return specifiers.flatMap((name) => [name, name.replace(/\.[cm]?js$/, '')].flatMap((one) => endings.map((ending) => resolve(folder, `${one}${ending}`))));
}

type Read =
  { readonly kind: 'folder'; readonly path: string } | { readonly kind: 'file'; readonly path: string; readonly digest: string; readonly text: string };

async function readInside(path: string, root: string): Promise<Read | undefined> {
  try {
    const real = await realpath(path);
    if (!isWithin(root, real)) return undefined;
    const stats = await stat(real);
    if (stats.isDirectory()) return { kind: 'folder', path: real };
    if (!stats.isFile()) return undefined;
    if (stats.size > largestRead) return { kind: 'file', path: real, digest: `${stats.size} ${stats.mtimeMs} ${stats.ino}`, text: '' };
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const bytes = await file.readFile();
      return { kind: 'file', path: real, digest: sha256(bytes), text: bytes.toString('utf8') };
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}
