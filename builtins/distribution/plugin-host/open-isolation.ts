// Decides whether a plugin file runs in the server's process or in a child process: a person's choice, its manifest, or whether it was installed.
import { readFileSync } from 'node:fs';
import type { PluginManifest, PluginModule } from 'agent-harness/kernel';
import { isRecord } from 'agent-harness/lib/values';
import type { InspectedPlugin, SaidManifest } from 'agent-harness/plugins/settings';
import type { ServerNames } from './allowed-contributions.ts';
import { describeCapabilities, grown, readCapabilities, refuseForeign } from './capabilities.ts';
import { isolatedPlugin } from './isolated-plugin.ts';
import { nameOf, ownFiles } from './plugin-files.ts';
import type { KnownPlugin } from './plugin-folders.ts';
import type { PluginDecisions } from './plugin-trust.ts';
import type { PluginFaultKind } from './quarantine.ts';
import type { CachedPlugin, RegistrationCache } from './registration-cache.ts';

export interface IsolationParts {
  /** Folder of plugin data; programs in it are never used as bubblewrap. */
  readonly dataDir: string;
  readonly cache: Pick<RegistrationCache, 'of' | 'known'>;
  /** As in `PATH`. */
  readonly searchPath: string;
  /** Reports a fault of a plugin. */
  readonly blame: (plugin: string, what: string, kind: PluginFaultKind) => void;
  readonly trust: Pick<PluginDecisions, 'choiceOf' | 'saw'>;
  readonly server: ServerNames;
}

export interface Isolation {
  /** @returns the module that stands for the child process, or `undefined` where the file runs in this process */
  place(path: string, isInstalled: boolean): Promise<PluginModule<never> | undefined>;
  /** Returns only plugins in a child process whose unchanged files were read in an earlier start. Throws where a capability was not approved. */
  known(path: string, isInstalled: boolean): KnownPlugin | undefined;
  /** Reads a manifest in a child process; nothing is loaded. Rejects with the error of the file, or with the capability that is not allowed. */
  inspect(path: string): Promise<InspectedPlugin>;
}

export function openIsolation({ dataDir, cache, searchPath, blame, trust, server }: IsolationParts): Isolation {
  let probed: Promise<string | undefined> | undefined;
  const probe = async (): Promise<string | undefined> => {
    const { findBubblewrap, tryBubblewrap } = await import('agent-harness/lib/bubblewrap');
    const found = await findBubblewrap(searchPath, dataDir);
    const works = 'program' in found ? await tryBubblewrap(found.program) : found;
    return 'program' in works ? works.program : undefined;
  };
  const bubblewrap = (): Promise<string | undefined> => (probed ??= probe());

  async function read(path: string): Promise<SaidManifest> {
    const { readManifest } = await import('./plugin-process.ts');
    const said = await readManifest(path, ownFiles(path), await bubblewrap());
    return isRecord(said) ? said : {};
  }

  /** Throws where a capability was not approved. */
  function isolated(path: string, said: SaidManifest, kept: CachedPlugin): PluginModule<never> {
    // A plugin without a manifest is named after its file.
    const manifest: PluginManifest = { ...said, name: said.name ?? nameOf(path), isolation: 'child' };
    const { name } = manifest;
    const capabilities = readCapabilities(manifest);
    refuseForeign(manifest, capabilities, server.plugins());
    const asks = trust.saw(name, capabilities);
    if (asks.length > 0) throw notApproved(name, asks);
    const onFault = (what: string, kind: PluginFaultKind): void => blame(name, what, kind);
    return isolatedPlugin({ path, own: ownFiles(path), capabilities, manifest, bubblewrap, kept, onFault, server });
  }

  return {
    async place(path, isInstalled) {
      const chosen = trust.choiceOf(nameOf(path));
      if (chosen === 'process') return undefined;
      // The manifest of a plugin that may need isolation is read in a child process.
      if (chosen === undefined && !isInstalled && !maySayIsolation.test(readFileSync(path, 'utf8'))) return undefined;
      const kept = cache.of(path);
      const manifest = kept.values.manifest ?? ((await read(path)) as PluginManifest);
      if (!kept.values.manifest) kept.keep({ manifest });
      return isIsolated(chosen, manifest, isInstalled) ? isolated(path, manifest, kept) : undefined;
    },
    known(path, isInstalled) {
      const kept = cache.known(path);
      if (!kept?.values.manifest || !isIsolated(trust.choiceOf(nameOf(path)), kept.values.manifest, isInstalled)) return undefined;
      return { module: isolated(path, kept.values.manifest, kept), stamp: kept.stamp };
    },
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

/** The manifest may also stand in another file that this one exports from. */
const maySayIsolation = /\bisolation\b|\bexport\b[^;]*?\bfrom\b|\brequire\s*\(/;

/** The choice of a person wins, then the manifest; installed plugins are isolated by default. */
function isIsolated(chosen: ReturnType<PluginDecisions['choiceOf']>, { isolation }: SaidManifest, isInstalled: boolean): boolean {
  return (chosen ?? isolation ?? (isInstalled ? 'child' : 'process')) !== 'process';
}

/** A pending approval is no fault of the plugin, so its code is that of a refused file. */
function notApproved(name: string, asks: readonly string[]): Error {
  const why = `it requests capabilities that are not approved. ${asks.join(' ')} To approve them: app plugins allow ${name}`;
  return Object.assign(new Error(`Plugin '${name}' was not loaded: ${why}`), { code: 'KRN_ERR_PLUGIN_REFUSED', plugin: name });
}
