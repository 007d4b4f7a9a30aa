// Loads the plugins of a folder into the server's process or a child process, depending on the user's choice, then the manifest, then the installation record.
import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import type { PluginFile, PluginIsolation, PluginManifest, PluginModule } from 'agent-harness/kernel';
import { lazy } from '#lib/async';
import { isRecord } from '#lib/values';
import type { InspectedPlugin, SaidManifest } from 'agent-harness/plugins/settings';
import type { ServerNames } from './allowed-contributions.ts';
import { describeCapabilities, grown, readCapabilities, refuseForeign } from './capabilities.ts';
import { otherThanAgreed, type LockCheck } from './lock-check.ts';
import { ownFiles } from './plugin-files.ts';
import type { FolderSource } from './plugin-folders.ts';
import type { PluginDecisions } from './plugin-trust.ts';
import type { PluginFaultKind } from './quarantine.ts';
import type { CachedPlugin, RegistrationCache } from './registration-cache.ts';
import { createUntrustedFileSearch } from './trusted-files.ts';

export interface UserPluginParts {
  /** Path of the folder for plugin data; programs in it are never used as bubblewrap. */
  readonly dataDir: string;
  readonly cache: Pick<RegistrationCache, 'of'>;
  /** Folders to search for bubblewrap, in the format of `PATH`. */
  readonly searchPath: string;
  /** Called before a file runs in this process. */
  readonly willRun: (plugin: string) => void;
  /** Reports and counts an error of a plugin. */
  readonly blame: (plugin: string, what: string, kind: PluginFaultKind) => void;
  readonly trust: Pick<PluginDecisions, 'choiceOf' | 'saw'>;
  /** See {@link FolderSource.stampOf}. */
  readonly stampOf: (file: PluginFile) => string;
  readonly server: ServerNames;
}

export interface UserPluginLoader {
  /** Creates a source. It caches folders and lock rows, so create a new one for each load. @param lock omitted if all files are the user's own */
  source(dir: string, options?: Pick<FolderSource, 'isWanted'> & { readonly lock?: LockCheck; readonly origin?: 'user' | 'bundle' }): FolderSource;
  /** Reads a manifest in a child process without loading the plugin. Rejects with the error of the file, or if a capability is forbidden. */
  inspect(path: string): Promise<InspectedPlugin>;
}

export function createUserPluginLoader({ dataDir, cache, searchPath, willRun, blame, trust, server, stampOf }: UserPluginParts): UserPluginLoader {
  const bubblewrap = lazy(async () => {
    const { findBubblewrap, tryBubblewrap } = await import('#lib/bubblewrap');
    const found = await findBubblewrap(searchPath, dataDir);
    const works = 'program' in found ? await tryBubblewrap(found.program) : found;
    return 'program' in works ? works.program : undefined;
  });

  async function read(path: string): Promise<SaidManifest> {
    const { readManifest } = await import('./plugin-process.ts');
    const said = await readManifest(path, ownFiles(path), await bubblewrap());
    return isRecord(said) ? said : {};
  }

  /** Returns the module of an isolated plugin. Throws if a capability is not approved. */
  async function isolated({ path, name: named }: PluginFile, said: SaidManifest, kept: CachedPlugin): Promise<PluginModule<never>> {
    const { isolatedPlugin } = await import('./isolated-plugin.ts');
    // A plugin without a manifest is named after its file.
    const { name = named } = said;
    const manifest: PluginManifest = { ...said, name, isolation: 'child' };
    // The kernel refuses the module; the name and the approvals may belong to another plugin.
    if (name !== named) return { manifest: manifest as never, register: () => undefined };
    const capabilities = readCapabilities(manifest);
    refuseForeign(manifest, capabilities, server.plugins());
    const asks = trust.saw(name, capabilities);
    if (asks.length > 0) throw notApproved(name, asks);
    const onFault = (what: string, kind: PluginFaultKind): void => blame(name, what, kind);
    return isolatedPlugin({ path, capabilities, manifest, bubblewrap, kept, onFault, server });
  }

  /** Returns the proxy module for a plugin in a child process; `undefined` if the file runs in this process. */
  async function place(file: PluginFile, isInstalled: boolean, chosen: PluginIsolation | undefined): Promise<PluginModule<never> | undefined> {
    const { path } = file;
    if (chosen === 'process') return undefined;
    // The manifest of a plugin that may need isolation is read in a child process.
    if (chosen === undefined && !isInstalled && !maySayIsolation.test(readFileSync(path, 'utf8'))) return undefined;
    const kept = cache.of(path);
    const manifest = kept.values.manifest ?? ((await read(path)) as PluginManifest);
    if (!kept.values.manifest) kept.keep({ manifest });
    return isIsolated(chosen, manifest, isInstalled) ? isolated(file, manifest, kept) : undefined;
  }

  function source(dir: string, { isWanted, lock, origin = 'user' }: Parameters<UserPluginLoader['source']>[1] = {}): FolderSource {
    const findUntrusted = createUntrustedFileSearch();
    const refuse = (path: string): string | undefined => findUntrusted(path) ?? lock?.faultAt(path);

    return {
      ...{ origin, dir, refuse, isOther: isBundle, stampOf, ...(isWanted ? { isWanted } : {}) },
      async importFile(file, version) {
        const { path } = file;
        const agreed = lock?.placeOf(path);
        const chosen = trust.choiceOf(file.name);
        const isolatedModule = await place(file, agreed !== undefined, chosen);
        if (!isolatedModule && agreed !== undefined && agreed !== 'process' && chosen !== 'process') throw new Error(otherThanAgreed);
        if (!isolatedModule) willRun(file.name);
        const module = isolatedModule ?? inProcess(await importFile(path, version), chosen);
        const { manifest = {} } = (module ?? {}) as { readonly manifest?: SaidManifest };
        // A manifest that is computed at run time becomes available only now.
        if (!isolatedModule && chosen !== 'process' && manifest.isolation !== undefined && manifest.isolation !== 'process') {
          throw new Error("its manifest has isolation: 'child', but its file does not contain that text. Write it as a literal in the file.");
        }
        lock?.refuseOther(path, manifest);
        return module;
      },
    };
  }

  return {
    source,
    async inspect(path) {
      const manifest = await read(path);
      const capabilities = readCapabilities({ name: 'inspected', ...manifest });
      if (manifest.isolation !== 'process') refuseForeign({ name: 'inspected', ...manifest }, capabilities);
      return {
        manifest,
        needs: describeCapabilities(capabilities),
        grownSince: (before) => grown(readCapabilities({ name: 'inspected', ...before }), capabilities),
      };
    },
  };
}

/** Matches a file that may declare isolation; the manifest may also be in another file that this file re-exports. */
const maySayIsolation = /\bisolation\b|\bexport\b[^;]*?\bfrom\b|\brequire\s*\(/;

function isIsolated(chosen: PluginIsolation | undefined, { isolation }: SaidManifest, isInstalled: boolean): boolean {
  return (chosen ?? isolation ?? (isInstalled ? 'child' : 'process')) !== 'process';
}

/** Creates the error for a pending approval. It has the code of a refused file, because the plugin is not at fault. */
function notApproved(name: string, asks: readonly string[]): Error {
  const why = `it requests capabilities that are not approved. ${asks.join(' ')} To approve them: app plugins allow ${name}`;
  return Object.assign(new Error(`Plugin '${name}' was not loaded: ${why}`), { code: 'KRN_ERR_PLUGIN_REFUSED', plugin: name });
}

/** Makes the module report the isolation that the user chose instead of the one in the manifest. */
function inProcess(imported: unknown, chosen: PluginIsolation | undefined): unknown {
  const isModule = (one: unknown): boolean => isRecord(one) && typeof one['register'] === 'function';
  const module = [imported, isRecord(imported) ? imported['default'] : undefined].find(isModule) as PluginModule | undefined;
  if (chosen !== 'process' || !module?.manifest) return imported;
  const manifest: PluginManifest = { ...module.manifest, isolation: 'process' };
  return { manifest, register: (registry, emitter) => module.register(registry, emitter) } satisfies PluginModule;
}

/** Returns whether a folder is a bundle of skills, commands, hooks and servers; the plugin `bundles` reads these. */
function isBundle(path: string): boolean {
  return ['.claude-plugin/plugin.json', 'plugin.json'].some((name) => existsSync(join(path, name)));
}

const require = createRequire(import.meta.url);
/** The module cache of `require` in this program. */
const { cache: loaded } = require;

async function importFile(path: string, stamp: string): Promise<unknown> {
  const known = loaded[path];
  if (!known) {
    try {
      // Synchronous, because `import()` waits for the thread pool three times per file.
      return require(path) as unknown;
    } catch {
      // The file has a top-level await, or an error that `import()` reports better.
    }
  } else if (!types.isModuleNamespaceObject(known.exports)) {
    delete loaded[path]; // Node caches CommonJS by path, and modules by URL
  }
  try {
    return await import(`${pathToFileURL(path).href}?v=${stamp}`);
  } catch (fault) {
    const place = fault instanceof SyntaxError ? await placeOf(path, fault) : undefined;
    throw place === undefined ? fault : new SyntaxError(`${(fault as SyntaxError).message} (${place})`, { cause: fault });
  }
}

/** Returns `file:line` of a syntax error. Node prints the line only for uncaught errors, so another process parses the file. */
async function placeOf(path: string, fault: SyntaxError): Promise<string | undefined> {
  const told = /^(file:.*:\d+)$/m.exec(fault.stack ?? '')?.[1];
  if (told !== undefined) return told;
  const [text, { execFile }] = await Promise.all([readFile(path, 'utf8'), import('node:child_process')]);
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['--check', '--input-type=module', '-'], { timeout: 3_000 }, (_fault, _out, complaint) => {
      const line = /^\[stdin\]:(\d+)/m.exec(complaint)?.[1];
      resolve(line === undefined ? undefined : `${path}:${line}`);
    });
    child.stdin?.on('error', () => undefined).end(text); // a child that ended early has already written its output
  });
}
