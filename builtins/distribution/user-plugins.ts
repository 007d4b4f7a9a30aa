// Reads the files of a person's own plugins: again when they changed, and with the line where one does not parse.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import type { PluginIsolation, PluginModule, PluginSource } from 'agent-harness/kernel';
import { isRecord } from 'agent-harness/lib/values';
import type { IsolateFile } from './isolation/open-isolation.ts';
import type { SaidManifest } from 'agent-harness/plugins/settings';
import { otherThanAgreed, type LockCheck } from './locked-plugins.ts';
import { nameOf, type PluginDecisions } from './plugin-trust.ts';
import { createUntrustedFileSearch } from './trusted-files.ts';

type FolderSource = Extract<PluginSource, { readonly dir: string }>;

/**
 * The source of the folder. Files that a plugin itself imports are kept by node until the program ends.
 * @param isolate gets each file first
 * @param lock what was installed; none where everything is the person's own
 * @param origin what comes in a bundle runs in the process where it says nothing else
 */
export function userSource(
  dir: string,
  isolate: IsolateFile,
  { stampOf, choiceOf }: Pick<PluginDecisions, 'stampOf' | 'choiceOf'>,
  lock?: LockCheck,
  origin: 'user' | 'bundle' = 'user',
): FolderSource {
  async function importWhere(path: string, stamp: string): Promise<unknown> {
    const agreed = lock?.tierOf(path);
    const chosen = choiceOf(nameOf(path));
    const { module: apart, isByDefault = false } = await isolate(path, { isInstalled: agreed !== undefined, isApartByDefault: origin === 'user' });
    // What was agreed to be apart says so itself.
    const isLess = agreed !== undefined && agreed !== 'process' && (apart === undefined || isByDefault);
    if (isLess && chosen !== 'process') throw new Error(otherThanAgreed);
    const module = (apart ?? inProcess(await importFile(path, stamp), chosen)) as { readonly manifest?: SaidManifest } | undefined;
    // Where it runs is the person's to choose later, too.
    lock?.refuseOther(path, { ...module?.manifest, ...(agreed && (chosen || isByDefault) ? { isolation: agreed } : {}) });
    return module;
  }
  const findUntrusted = createUntrustedFileSearch();
  const refuse = (path: string): string | undefined => findUntrusted(path) ?? lock?.faultAt(path);
  return { origin, dir, refuse, importFile: importWhere, stampOf, isOther: isBundle };
}

/** What runs here by a person's choice says so, whatever its file wanted. */
function inProcess(imported: unknown, chosen: PluginIsolation | undefined): unknown {
  if (chosen !== 'process') return imported;
  const isModule = (one: unknown): boolean => isRecord(one) && typeof one['register'] === 'function';
  const module = [imported, isRecord(imported) ? imported['default'] : undefined].find(isModule) as PluginModule | undefined;
  if (!module?.manifest) return imported;
  return { manifest: { ...module.manifest, isolation: 'process' }, register: (...args: Parameters<PluginModule['register']>) => module.register(...args) };
}

/** A folder of skills, commands, hooks and servers, which are no code of this program: the plugin `bundles` reads it. */
function isBundle(path: string): boolean {
  return ['.claude-plugin/plugin.json', 'plugin.json'].some((name) => existsSync(join(path, name)));
}

/** The source of a folder that came after the product: read like one of the person's own. @param isWanted whether anything of it is to run */
export function bundleSource(dir: string, isolate: IsolateFile, trust: Pick<PluginDecisions, 'stampOf' | 'choiceOf'>, isWanted: boolean): FolderSource {
  return { ...userSource(dir, isolate, trust, undefined, 'bundle'), ...(isWanted ? {} : { include: [] }) };
}

const require = createRequire(import.meta.url);
/** What `require` has loaded, of the whole program. */
const { cache: loaded } = require;

async function importFile(path: string, stamp: string): Promise<unknown> {
  const known = loaded[path];
  if (!known) {
    try {
      // At once, without the thread pool that `import()` waits for three times for each file.
      return require(path) as unknown;
    } catch {
      // It waits at its top level, or it fails, and `import()` says so better.
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

/** As `file:line`. Node shows the line only where nobody catches the error, so a process that may end by it parses the file. */
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
