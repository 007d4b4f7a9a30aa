// Checks an answer's claims against the workspace: whether a named file exists and contains the quoted code. Reads nothing outside the workspace.
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isThere } from '#lib/files';
import { isWithin } from '#lib/paths';
import { oneLine, textStart } from '#lib/text';
import type { Claims } from './read-claims.ts';

export interface CheckPlace {
  readonly workspaceRoot: string;
  /** Path of the product's home folder, which is never read. */
  readonly home: string;
  /** Tool outputs. The answer may omit the folder of a file that a tool output names. */
  readonly shown: readonly string[];
}

export interface Checked {
  readonly problems: readonly string[];
  readonly paths: number;
  readonly snippets: number;
}

/** Maximum size of a checked file in bytes. */
const maxFileBytes = 1024 * 1024;
const ellipsis = /^\s*(?:\/\/|#|\/\*|--|<!--)?\s*(?:\[?\.\.\.\]?|…)/;

export async function checkClaims(claims: Claims, place: CheckPlace): Promise<Checked> {
  const problems: string[] = [];
  let paths = 0;
  let snippets = 0;
  for (const path of claims.paths) {
    const isNamed = await exists(path, place);
    if (isNamed !== undefined) paths++;
    if (isNamed === false) problems.push(`The answer names ${path}, which does not exist.`);
  }
  for (const { path, code } of claims.snippets) {
    const content = await contentOf(path, place);
    if (content === undefined) continue;
    snippets++;
    const missing = firstMissing(code, content);
    if (missing !== undefined) problems.push(`The answer quotes code that is not in ${path}: ${textStart(missing, 100)}`);
  }
  return { problems, paths, snippets };
}

/** Returns whether a file exists; `undefined` if that is unknown: outside the workspace, or in a folder that only a tool named. */
async function exists(path: string, place: CheckPlace): Promise<boolean | undefined> {
  const full = insidePath(path, place);
  if (full === undefined) return undefined;
  if (await isThere(full)) return true;
  const marked = path.includes('/') ? `/${path}` : path;
  return place.shown.some((text) => text.includes(marked)) ? undefined : false;
}

async function contentOf(path: string, place: CheckPlace): Promise<string | undefined> {
  const full = insidePath(path, place);
  if (full === undefined) return undefined;
  try {
    const real = await realpath(full);
    const [root, home] = [await realpath(place.workspaceRoot), await realpath(place.home)];
    if (!isWithin(root, real) || (isWithin(home, real) && !isWithin(home, root))) return undefined;
    const found = await stat(real);
    return found.isFile() && found.size <= maxFileBytes ? await readFile(real, 'utf8') : undefined;
  } catch {
    return undefined; // the path check reports a missing file
  }
}

function insidePath(path: string, { workspaceRoot, home }: CheckPlace): string | undefined {
  if (path.includes('\0')) return undefined;
  const full = resolve(workspaceRoot, path);
  const isOwn = isWithin(home, full) && !isWithin(home, workspaceRoot);
  return isWithin(workspaceRoot, full) && !isOwn ? full : undefined;
}

/** Returns the first line of the first piece that is missing. Ignores white space; `…` matches anything. */
function firstMissing(code: string, content: string): string | undefined {
  const haystack = `\n${plainLines(content).join('\n')}\n`;
  for (const piece of piecesOf(code)) {
    const lines = plainLines(piece);
    if (lines.length > 0 && !haystack.includes(`\n${lines.join('\n')}\n`)) return lines.find((line) => !haystack.includes(`\n${line}\n`)) ?? lines[0];
  }
  return undefined;
}

function piecesOf(code: string): string[] {
  const pieces: string[][] = [[]];
  for (const line of code.split('\n')) {
    if (ellipsis.test(line)) pieces.push([]);
    else pieces.at(-1)?.push(line);
  }
  return pieces.map((lines) => lines.join('\n'));
}

function plainLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => oneLine(line))
    .filter((line) => line !== '');
}
