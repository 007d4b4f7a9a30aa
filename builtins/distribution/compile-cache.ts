// What node has compiled is kept, so that the next start need not compile it again.
import { mkdirSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Distribution } from './distribution.ts';

/** Of Node 22.10 and later. */
const compileCache: { enableCompileCache?(folder: string): unknown; flushCompileCache?(): void } = nodeModule as object;

/** Absolute: `<NAME>_HOME`, else the distribution's folder in the person's own. */
export function homeOf(
  { name, homeFolder = `.${name}` }: Pick<Distribution, 'name' | 'homeFolder'>,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return resolve(environment[`${name.toUpperCase()}_HOME`] ?? join(homedir(), homeFolder));
}

/**
 * In the home folder, never in one that others can write to. It holds for what is imported after the call: a third of a start,
 * from Node 22 on. Earlier ones have no such store.
 */
export function keepCompiledCode(home: string): void {
  if (!compileCache.enableCompileCache) return;
  const folder = join(home, 'cache', 'code');
  // Made here, or node makes it and the home folder for everybody to read.
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  compileCache.enableCompileCache(folder);
}

/** A server may run for weeks before it ends, or be killed. */
export function flushCompiledCode(): void {
  compileCache.flushCompileCache?.();
}
