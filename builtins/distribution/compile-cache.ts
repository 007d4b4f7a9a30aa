// What node has compiled is kept, so that the next start need not compile it again.
import { mkdirSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Distribution } from './distribution.ts';

/** Of Node 22.10 and later. */
const compileCache: { enableCompileCache?(folder: string): unknown; flushCompileCache?(): void } = nodeModule as object;

/** Absolute: `<NAME>_HOME`, else the distribution's folder in the person's own. Throws where the account has no home folder. */
export function homeOf(
  { name, homeFolder = `.${name}` }: Pick<Distribution, 'name' | 'homeFolder'>,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  correctHome();
  return resolve(environment[`${name.toUpperCase()}_HOME`] || join(homedir(), homeFolder));
}

/** An empty or relative HOME is as if unset: this process, and what it starts, use the home folder of the account. */
function correctHome(): void {
  if (process.platform === 'win32' || isAbsolute(process.env['HOME'] ?? '')) return;
  try {
    process.env['HOME'] = userInfo().homedir;
  } catch (cause) {
    throw homeError('HOME is not an absolute path, and this account has no home folder', cause);
  }
}

/** A home folder that cannot be used. @param why a sentence without its end */
export function homeError(why: string, cause: unknown): Error {
  return Object.assign(new Error(`${why}. Set HOME to a folder that you own, or name the folder of the program itself.`, { cause }), {
    code: 'START_ERR_HOME_UNUSABLE',
  });
}

/**
 * In the home folder, never in one that others can write to. It holds for what is imported after the call: a third of a start,
 * from Node 22 on. Earlier ones have no such store.
 */
export function keepCompiledCode(distribution: Pick<Distribution, 'name' | 'homeFolder'>): void {
  if (!compileCache.enableCompileCache) return;
  try {
    const folder = join(homeOf(distribution, process.env), 'cache', 'code');
    // Made here, or node makes it and the home folder for everybody to read.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    compileCache.enableCompileCache(folder);
  } catch {
    // The start reports a home folder that cannot be used.
  }
}

/** A server may run for weeks before it ends, or be killed. */
export function flushCompiledCode(): void {
  compileCache.flushCompileCache?.();
}
