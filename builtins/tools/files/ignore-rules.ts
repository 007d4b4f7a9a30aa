// What .gitignore files say, nested ones included.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** The rules in force inside one folder. */
export interface IgnoreRules {
  /** Relative to the outermost folder whose rules count. */
  ignores(path: string, kind: 'file' | 'folder'): boolean;
  /** With those of a folder below added, where it has any. */
  inside(folder: string): Promise<IgnoreRules>;
}

const maxRuleBytes = 512 * 1024;

/** The rules for `folder`: its own and those of the folders above it, up to the root of the repository or `root`. */
export async function rulesFor(folder: string, root: string): Promise<IgnoreRules> {
  const base = await outermost(folder, root);
  let rules = createRules(base, newMatcher());
  const exclude = await readRules(join(base, '.git', 'info', 'exclude'));
  if (exclude) rules = createRules(base, newMatcher().add(exclude));
  rules = await rules.inside(base);
  const way = relative(base, folder);
  let current = base;
  for (const part of way === '' ? [] : way.split(sep)) {
    current = join(current, part);
    // Who asks for an ignored folder by name wants to see what is in it.
    if (rules.ignores(current, 'folder')) rules = createRules(current, newMatcher());
    rules = await rules.inside(current);
  }
  return rules;
}

export const noRules: IgnoreRules = { ignores: () => false, inside: () => Promise.resolve(noRules) };

function createRules(base: string, matcher: Ignore): IgnoreRules {
  const pathOf = (path: string): string => relative(base, path).split(sep).join('/');
  return {
    ignores(path, kind) {
      const way = pathOf(path);
      return way !== '' && matcher.ignores(kind === 'folder' ? `${way}/` : way);
    },
    async inside(folder) {
      const text = await readRules(join(folder, '.gitignore'));
      if (text === undefined) return createRules(base, matcher);
      return createRules(
        base,
        newMatcher()
          .add(matcher)
          .add(prefixed(text, pathOf(folder))),
      );
    },
  };
}

function newMatcher(): Ignore {
  return ignore({ ignorecase: process.platform === 'win32' || process.platform === 'darwin' });
}

/** The patterns of a nested file as the outermost one would say them. */
function prefixed(text: string, folder: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (folder === '') return lines;
  const prefix = `/${folder.replace(/[\\*?[\]!# ]/g, '\\$&')}`;
  return lines.flatMap((line) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const isNegated = line.startsWith('!');
    const pattern = isNegated ? line.slice(1) : line;
    const isAnchored = /\/(?!\s*$)/.test(pattern);
    return [`${isNegated ? '!' : ''}${prefix}${isAnchored ? `/${pattern.replace(/^\//, '')}` : `/**/${pattern}`}`];
  });
}

/** The folder at or above `folder` that holds `.git`; else `root`, or `folder` itself where it is outside of that. */
async function outermost(folder: string, root: string): Promise<string> {
  for (let current = folder; ; current = dirname(current)) {
    if (await exists(join(current, '.git'))) return current;
    if (dirname(current) === current) break;
  }
  const way = relative(root, folder);
  return way === '..' || way.startsWith(`..${sep}`) ? folder : root;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** `undefined` where there are none, or none that can be read. */
async function readRules(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size <= maxRuleBytes ? await readFile(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
