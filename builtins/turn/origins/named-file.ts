// A call that names a file hands over what stands in it, to whoever may read it.
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isWithin } from 'agent-harness/lib/paths';
import type { OriginSpan } from './contract.ts';
import { readingsOf } from './readings.ts';
import { isSecretFile } from './secret-files.ts';
import { findWhole } from './secret-match.ts';
import type { Secret } from './secret-values.ts';

/** No file system takes longer ones. */
const longestPath = 4_096;
const mostBytes = 256_000;

export interface NamedFile {
  readonly spans: readonly OriginSpan[];
  /** Why the file was not searched as a whole, as a sentence. */
  readonly limit?: string;
}

/** The secrets of the file of the workspace that the text is the path of; none where it is no such path. Contract: never rejects. */
export async function secretsBehind(text: string, workspaceRoot: string, secrets: readonly Secret[]): Promise<NamedFile> {
  if (text.length > longestPath || /[\n\0]|:\/\/./.test(text.replace(/^file:\/\//, ''))) return { spans: [] };
  const span = { start: 0, end: text.length };
  const path = text.replace(/^file:\/\//, '').trim();
  if (isSecretFile(path)) return { spans: [{ ...span, origin: { kind: 'secret', ref: path }, through: 'by its name' }] };
  const content = await contentOf(resolve(workspaceRoot, path), workspaceRoot).catch(() => undefined);
  if (content === undefined) return { spans: [] };
  if (content === 'too large') return { spans: [], limit: `The file ${path} has more than ${mostBytes / 1_000} kB, so it is not searched for secrets.` };
  const { all, limit } = readingsOf(content);
  const spans = findWhole(secrets, all).map(({ secret: { ref, name } }) => ({
    ...span,
    origin: { kind: 'secret' as const, ref, ...(name === undefined ? {} : { name }) },
    through: `in the file ${path}`,
  }));
  return { spans, ...(limit === undefined ? {} : { limit: `The file ${path} cannot be searched for secrets: it ${limit}.` }) };
}

async function contentOf(path: string, workspaceRoot: string): Promise<string | undefined> {
  const real = await realpath(path);
  if (!isWithin(await realpath(workspaceRoot), real)) return undefined;
  const found = await stat(real);
  if (!found.isFile()) return undefined;
  return found.size <= mostBytes ? readFile(real, 'utf8') : 'too large';
}
