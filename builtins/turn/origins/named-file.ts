// Finds secrets in the files that a call names, because the receiver of the call may read these files.
import { readFile, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { OriginSpan } from './contract.ts';
import { readingsOf } from './readings.ts';
import { isSecretFile } from './secret-files.ts';
import type { SecretFinder } from './secret-finder.ts';
import { findWhole } from './secret-match.ts';
import { keysIn, type Secret } from './secret-values.ts';

/** Maximum length of a path in any file system, in UTF-16 code units. */
const longestPath = 4_096;
const mostBytes = 256_000;

export interface NamedFile {
  readonly spans: readonly OriginSpan[];
  /** Sentence that states why the file was not searched completely. */
  readonly limit?: string;
}

/**
 * If the text is the path of a file, returns the secrets in that file: known ones, and texts that look like keys. Otherwise returns none. Contract: never
 * rejects.
 */
export async function secretsBehind(text: string, workspaceRoot: string, finder: SecretFinder): Promise<NamedFile> {
  const path = pathIn(text);
  if (path === undefined) return { spans: [] };
  const found = (all: readonly Secret[], through: string): OriginSpan[] =>
    all.map(({ ref, name }) => ({ start: 0, end: text.length, origin: { kind: 'secret', ref, ...(name === undefined ? {} : { name }) }, through }));
  const byName = { spans: [{ start: 0, end: text.length, origin: { kind: 'secret' as const, ref: path }, through: 'by its name' }] };
  if (isSecretFile(path)) return byName;
  // A link and its target may have different names.
  const real = await realpath(resolve(workspaceRoot, path)).catch(() => undefined);
  if (real === undefined) return { spans: [] };
  if (isSecretFile(real)) return byName;
  const content = await contentOf(real).catch(() => undefined);
  if (content === undefined) return { spans: [] };
  if (content === 'too large') return { spans: [], limit: `The file ${path} has more than ${mostBytes / 1_000} kB, so it is not searched for secrets.` };
  const { all, limit } = readingsOf(content);
  // A known secret has a better name than a detected key.
  const inside = [...keysIn(content, path), ...findWhole(finder, all).map(({ secret }) => secret)];
  const spans = found([...new Map(inside.map((secret) => [secret.value, secret])).values()], `in the file ${path}`);
  return { spans, ...(limit === undefined ? {} : { limit: `The file ${path} cannot be searched for secrets: it ${limit}.` }) };
}

/** Returns the path that a text names; `undefined` if the text cannot be a file path. */
function pathIn(text: string): string | undefined {
  const plain = text.replace(/^file:\/\//, '').trim();
  if (plain === '' || plain.length > longestPath || /[\n\0]|:\/\/./.test(plain)) return undefined;
  const path = plain.replace(/^~(?=\/)/, homedir());
  try {
    return text.startsWith('file:') ? decodeURIComponent(path) : path;
  } catch {
    return path;
  }
}

async function contentOf(path: string): Promise<string | undefined> {
  const found = await stat(path);
  if (!found.isFile()) return undefined;
  return found.size <= mostBytes ? readFile(path, 'utf8') : 'too large';
}
