// Imports the files of a user's plugin folder: again after a change, and with the line of a syntax error.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import type { PluginFile, PluginIsolation, PluginModule } from 'agent-harness/kernel';
import { isRecord } from 'agent-harness/lib/values';
import type { Isolation } from './open-isolation.ts';
import type { SaidManifest } from 'agent-harness/plugins/settings';
import { otherThanAgreed, type LockCheck } from './lock-check.ts';
import { nameOf } from './plugin-files.ts';
import type { FolderSource, KnownPlugin } from './plugin-folders.ts';
import type { PluginDecisions } from './plugin-trust.ts';
import { createUntrustedFileSearch } from './trusted-files.ts';

/**
 * The source of a plugin folder. Node keeps the modules that a plugin in the process imports until the program ends.
 * @param open decides where each file runs
 * @param lock rows of installed plugins; none where all files are the user's own
 */
export function userSource(
  dir: string,
  open: () => Promise<Isolation>,
  { stampOf, choiceOf }: Pick<PluginDecisions, 'stampOf' | 'choiceOf'>,
  lock?: LockCheck,
  origin: 'user' | 'bundle' = 'user',
): FolderSource {
  const findUntrusted = createUntrustedFileSearch();
  const refuse = (path: string): string | undefined => findUntrusted(path) ?? lock?.faultAt(path);

  async function importWhere({ path }: PluginFile, version: string): Promise<unknown> {
    const agreed = lock?.placeOf(path);
    const chosen = choiceOf(nameOf(path));
    const isolated = await (await open()).place(path, agreed !== undefined);
    if (!isolated && agreed !== undefined && agreed !== 'process' && chosen !== 'process') throw new Error(otherThanAgreed);
    const module = isolated ?? inProcess(await importFile(path, version), chosen);
    const { manifest = {} } = (module ?? {}) as { readonly manifest?: SaidManifest };
    // A manifest that is computed at run time is known only now.
    if (!isolated && chosen !== 'process' && manifest.isolation !== undefined && manifest.isolation !== 'process') {
      throw new Error("its manifest says isolation: 'child', and that was not found in its file. Write it there as text.");
    }
    lock?.refuseOther(path, manifest);
    return module;
  }

  function knownAt(path: string, isolation: Isolation): KnownPlugin | undefined {
    try {
      if (refuse(path) !== undefined) return undefined;
      const found = isolation.known(path, lock?.placeOf(path) !== undefined);
      lock?.refuseOther(path, found?.module.manifest ?? {});
      return found;
    } catch {
      return undefined; // the import reports the fault
    }
  }

  async function known(files: readonly PluginFile[]): Promise<Map<string, KnownPlugin>> {
    const isolation = await open();
    return new Map(
      files.flatMap(({ path }): [string, KnownPlugin][] => {
        const found = knownAt(path, isolation);
        return found ? [[path, found]] : [];
      }),
    );
  }
  return { origin, dir, refuse, known, importFile: importWhere, stampOf, isOther: isBundle };
}

/** Reports the place that a person chose in place of the manifest's. */
function inProcess(imported: unknown, chosen: PluginIsolation | undefined): unknown {
  if (chosen !== 'process') return imported;
  const isModule = (one: unknown): boolean => isRecord(one) && typeof one['register'] === 'function';
  const module = [imported, isRecord(imported) ? imported['default'] : undefined].find(isModule) as PluginModule | undefined;
  if (!module?.manifest) return imported;
  return { manifest: { ...module.manifest, isolation: 'process' }, register: (...args: Parameters<PluginModule['register']>) => module.register(...args) };
}

/** A bundle of skills, commands, hooks and servers; the plugin `bundles` reads it. */
function isBundle(path: string): boolean {
  return ['.claude-plugin/plugin.json', 'plugin.json'].some((name) => existsSync(join(path, name)));
}

/** The source of a bundle's folder, read like the user's own. @param isWanted false: nothing of it is loaded */
export function bundleSource(
  dir: string,
  open: () => Promise<Isolation>,
  trust: Pick<PluginDecisions, 'stampOf' | 'choiceOf'>,
  isWanted: boolean,
): FolderSource {
  return { ...userSource(dir, open, trust, undefined, 'bundle'), ...(isWanted ? {} : { include: [] }) };
}

const require = createRequire(import.meta.url);
/** The module cache of `require` of the program. */
const { cache: loaded } = require;

async function importFile(path: string, stamp: string): Promise<unknown> {
  const known = loaded[path];
  if (!known) {
    try {
      // Synchronous: `import()` waits three times for the thread pool for each file.
      return require(path) as unknown;
    } catch {
      // A top-level await, or an error that `import()` reports better.
    }
  } else if (!types.isModuleNamespaceObject(known.exports)) {
    delete loaded[path]; // node keeps CommonJS under its path, and a module under its address
  }
  try {
    return await import(`${pathToFileURL(path).href}?v=${stamp}`);
  } catch (fault) {
    const place = fault instanceof SyntaxError ? await placeOf(path, fault) : undefined;
    throw place === undefined ? fault : new SyntaxError(`${(fault as SyntaxError).message} (${place})`, { cause: fault });
  }
}

/** `file:line` of a syntax error. Node prints the line only for uncaught errors, so another process parses the file. */
async function placeOf(path: string, fault: SyntaxError): Promise<string | undefined> {
  const told = /^(file:.*:\d+)$/m.exec(fault.stack ?? '')?.[1];
  if (told !== undefined) return told;
  const [text, { execFile }] = await Promise.all([readFile(path, 'utf8'), import('node:child_process')]);
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['--check', '--input-type=module', '-'], { timeout: 3_000 }, (_fault, _out, complaint) => {
      const line = /^\[stdin\]:(\d+)/m.exec(complaint)?.[1];
      resolve(line === undefined ? undefined : `${path}:${line}`);
    });
    child.stdin?.on('error', () => undefined).end(text); // a child that ended early has said all it has to say
  });
}
