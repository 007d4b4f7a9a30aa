// Applies .gitignore files, including nested ones.
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { isWithin } from '#lib/paths';
import ignore, { type Ignore } from 'ignore';
import { relativeBelow } from '../paths/locate.ts';

/** The rules that apply in one folder. */
export interface IgnoreRules {
  /** Returns whether a path is ignored. @param path path relative to the outermost folder with rules */
  ignores(path: string, kind: 'file' | 'folder'): boolean;
  /** Returns these rules combined with those of a subfolder, if it has any. */
  inside(folder: string): IgnoreRules;
}

type ReadSmall = (path: string, maxBytes: number) => string | undefined;

const maxRuleBytes = 512 * 1024;

/** Returns the rules for `folder`: its own and those of its parent folders, up to the root of the repository or `root`. */
export function rulesFor(folder: string, root: string, readSmall: ReadSmall): IgnoreRules {
  const read = (path: string): string | undefined => readSmall(path, maxRuleBytes);
  const base = outermost(folder, root);
  let rules = createRules(base, read, newMatcher());
  const exclude = read(join(base, '.git', 'info', 'exclude'));
  if (exclude) rules = createRules(base, read, newMatcher().add(exclude));
  rules = rules.inside(base);
  const way = relative(base, folder);
  let current = base;
  for (const part of way === '' ? [] : way.split(sep)) {
    current = join(current, part);
    // An ignored folder is listed if it was requested by name.
    if (rules.ignores(current, 'folder')) rules = createRules(current, read, newMatcher());
    rules = rules.inside(current);
  }
  return rules;
}

export const noRules: IgnoreRules = { ignores: () => false, inside: () => noRules };

function createRules(base: string, read: (path: string) => string | undefined, matcher: Ignore): IgnoreRules {
  const pathOf = (path: string): string => relativeBelow(base, path);
  return {
    ignores(path, kind) {
      const way = pathOf(path);
      return way !== '' && matcher.ignores(kind === 'folder' ? `${way}/` : way);
    },
    inside(folder) {
      const text = read(join(folder, '.gitignore'));
      if (text === undefined) return createRules(base, read, matcher);
      return createRules(
        base,
        read,
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

/** Rewrites the patterns of a nested file relative to the outermost folder. */
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

/** Returns the folder at or above `folder` that contains `.git`; otherwise `root`, or `folder` if it is outside `root`. */
function outermost(folder: string, root: string): string {
  for (let current = folder; ; current = dirname(current)) {
    if (existsSync(join(current, '.git'))) return current;
    if (dirname(current) === current) break;
  }
  return isWithin(root, folder) ? root : folder;
}
