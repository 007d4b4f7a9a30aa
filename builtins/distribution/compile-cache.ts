// Enables Node's compile cache, so that later starts of the server compile less code.
import { mkdirSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Distribution } from './distribution.ts';

/** Functions of the compile cache, available from Node 22.10 on. */
const compileCache: { enableCompileCache?(folder: string): unknown; flushCompileCache?(): void } = nodeModule as object;

/** Returns the absolute home folder: `<NAME>_HOME`, otherwise the distribution's folder in the user's home folder. Throws if the account has no home folder. */
export function homeOf(
  { name, homeFolder = `.${name}` }: Pick<Distribution, 'name' | 'homeFolder'>,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  correctHome();
  return resolve(environment[`${name.toUpperCase()}_HOME`] || join(homedir(), homeFolder));
}

/** Treats an empty or relative HOME as unset, so that this process and its children use the home folder of the account. */
function correctHome(): void {
  if (process.platform === 'win32' || isAbsolute(process.env['HOME'] ?? '')) return;
  try {
    process.env['HOME'] = userInfo().homedir;
  } catch (cause) {
    throw homeError('HOME is not an absolute path, and this account has no home folder', cause);
  }
}

/** Creates the error for an unusable home folder. @param why a sentence without its full stop */
export function homeError(why: string, cause: unknown): Error {
  return Object.assign(new Error(`${why}. Set HOME to a folder that you own, or set the program's own home folder (<NAME>_HOME).`, { cause }), {
    code: 'START_ERR_HOME_UNUSABLE',
  });
}

/**
 * Enables the compile cache in the home folder, but never in a folder that others can write to. It applies to imports after this call, and saves a third of the
 * startup time from Node 22 on. Earlier versions have no compile cache.
 */
export function keepCompiledCode(distribution: Pick<Distribution, 'name' | 'homeFolder'>): void {
  if (!compileCache.enableCompileCache) return;
  try {
    const folder = join(homeOf(distribution, process.env), 'cache', 'code');
    // Creates the folder here, because Node would make it and the home folder readable by everyone.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    compileCache.enableCompileCache(folder);
  } catch {
    // An unusable home folder is reported later during startup.
  }
}

/** Writes the cache now, because a server may run for weeks before it ends, or may be killed. */
export function flushCompiledCode(): void {
  compileCache.flushCompileCache?.();
}
