// A call that names a file hands over what stands in it, to whoever may read it.
import { readFile, realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isWithin } from 'agent-harness/lib/paths';
import type { OriginSpan } from './contract.ts';
import { readingsOf } from './readings.ts';
import { isSecretFile } from './secret-files.ts';
import { findWhole } from './secret-match.ts';
import type { Secret } from './secret-values.ts';

const longestPath = 300;
const mostBytes = 256_000;

/** The secrets of the file of the workspace that the text is the path of; none where it is no such path. Contract: never rejects. */
export async function secretsBehind(text: string, workspaceRoot: string, secrets: readonly Secret[]): Promise<OriginSpan[]> {
  if (text.length > longestPath || /[\n\0]|:\/\/./.test(text.replace(/^file:\/\//, ''))) return [];
  const span = { start: 0, end: text.length };
  const path = text.replace(/^file:\/\//, '').trim();
  if (isSecretFile(path)) return [{ ...span, origin: { kind: 'secret', ref: path }, through: 'by its name' }];
  if (!/[./\\]/.test(path)) return [];
  const content = await contentOf(resolve(workspaceRoot, path), workspaceRoot).catch(() => undefined);
  if (content === undefined) return [];
  return findWhole(secrets, readingsOf(content)).map(({ secret: { ref, name } }) => ({
    ...span,
    origin: { kind: 'secret', ref, ...(name === undefined ? {} : { name }) },
    through: `in the file ${path}`,
  }));
}

async function contentOf(path: string, workspaceRoot: string): Promise<string | undefined> {
  const real = await realpath(path);
  if (!isWithin(workspaceRoot, real)) return undefined;
  const found = await stat(real);
  return found.isFile() && found.size <= mostBytes ? readFile(real, 'utf8') : undefined;
}
