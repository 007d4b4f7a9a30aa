// Decides whether a plugin file runs in the server's process or in a child process: a person's choice, its manifest, or whether it was installed.
import { readFileSync } from 'node:fs';
import type { PluginManifest, PluginModule } from 'agent-harness/kernel';
import type { PluginFaultKind } from 'agent-harness/plugins/settings';
import type { PluginMeter } from './plugin-usage.ts';
import { nameOf, type PluginDecisions } from './plugin-trust.ts';
import type { ServerNames } from './allowed-contributions.ts';
import { readCapabilities, refuseForeign } from './capabilities.ts';
import { ownFiles, type CachedPlugin, type CachedPlugins } from './registration-cache.ts';
import { isolatedPlugin, type IsolatedParts } from './isolated-plugin.ts';

export interface IsolationParts {
  /** Folder of plugin data; programs in it are never used as bubblewrap. */
  readonly dataDir: string;
  /** Cached manifests and registrations of earlier starts. */
  readonly allKept: Pick<CachedPlugins, 'of' | 'ofSame'>;
  /** As in `PATH`. */
  readonly searchPath: string;
  /** Reports a fault of a plugin. */
  readonly blame: (plugin: string, what: string, kind: PluginFaultKind) => void;
  readonly trust: Pick<PluginDecisions, 'choiceOf' | 'saw'>;
  /** Accounts the resource usage of the child process. */
  readonly meter: Pick<PluginMeter, 'guest'>;
  readonly server: ServerNames;
}

/** A file whose place is known from the cache, without reading the file. */
export interface KnownFile {
  readonly module: PluginModule<never>;
  /** Hash of all files of the plugin, where it is cached. */
  readonly content: string | undefined;
}

export interface Isolation {
  /** @returns the module that stands for the child process, or `undefined` where the file runs in this process */
  place(path: string, isInstalled: boolean): Promise<PluginModule<never> | undefined>;
  /** Returns only plugins in a child process whose unchanged files were read in an earlier start. Throws where a capability was not approved. */
  known(path: string, isInstalled: boolean): KnownFile | undefined;
}

export function openIsolation({ dataDir, allKept, searchPath, blame, meter, trust, server }: IsolationParts): Isolation {
  let probed: Promise<string | undefined> | undefined;
  const probe = async (): Promise<string | undefined> => {
    const { findBubblewrap, tryBubblewrap } = await import('agent-harness/lib/bubblewrap');
    const found = await findBubblewrap(searchPath, dataDir);
    const works = 'program' in found ? await tryBubblewrap(found.program) : found;
    return 'program' in works ? works.program : undefined;
  };
  const bubblewrap = (): Promise<string | undefined> => (probed ??= probe());

  async function read(path: string, own: readonly string[], kept: CachedPlugin): Promise<PluginManifest> {
    if (kept.manifest) return kept.manifest;
    const { readManifest } = await import('./plugin-process.ts');
    const manifest = (await readManifest(path, own, await bubblewrap())) as PluginManifest;
    kept.keep({ manifest });
    return manifest;
  }

  return {
    async place(path, isInstalled) {
      const own = ownFiles(path);
      const kept = allKept.of(path, own);
      const chosen = trust.choiceOf(nameOf(path));
      if (chosen === 'process') return undefined;
      // The manifest of a plugin that may need isolation is read in a child process.
      const mayBeIsolated = chosen !== undefined || isInstalled || maySayIsolation.test(readFileSync(path, 'utf8'));
      if (!mayBeIsolated) return undefined;
      const manifest = await read(path, own, kept);
      return isIsolated(chosen, manifest, isInstalled) ? isolated(path, manifest, own, kept) : undefined;
    },
    known(path, isInstalled) {
      const own = ownFiles(path);
      const kept = allKept.ofSame(path, own);
      if (!kept?.manifest) return undefined;
      const { manifest, content } = kept;
      return isIsolated(trust.choiceOf(nameOf(path)), manifest, isInstalled) ? { module: isolated(path, manifest, own, kept), content } : undefined;
    },
  };

  /** Throws where a capability was not approved. */
  function isolated(path: string, said: Partial<PluginManifest>, own: readonly string[], kept: CachedPlugin): PluginModule<never> {
    // A plugin without a manifest is named after its file.
    const manifest: PluginManifest = { ...said, name: said.name ?? nameOf(path), isolation: 'child' };
    const { name } = manifest;
    const capabilities = readCapabilities(manifest);
    refuseForeign(manifest, capabilities, server.plugins());
    const asks = trust.saw(name, capabilities);
    if (asks.length > 0) throw notApproved(name, asks);
    const onFault: IsolatedParts['onFault'] = (what, kind) => blame(name, what, kind);
    return isolatedPlugin({ path, own, capabilities, manifest, bubblewrap, kept, onFault, meter, server });
  }
}

/** The manifest may also stand in another file that this one exports from. */
const maySayIsolation = /\bisolation\b|\bexport\b[^;]*?\bfrom\b|\brequire\s*\(/;

/** The choice of a person wins, then the manifest; installed plugins are isolated by default. */
function isIsolated(chosen: ReturnType<PluginDecisions['choiceOf']>, { isolation }: Partial<PluginManifest>, isInstalled: boolean): boolean {
  return (chosen ?? isolation ?? (isInstalled ? 'child' : 'process')) !== 'process';
}

/** A pending approval is no fault of the plugin, so its code is that of a refused file. */
function notApproved(name: string, asks: readonly string[]): Error {
  const why = `it requests capabilities that are not approved. ${asks.join(' ')} To approve them: app plugins allow ${name}`;
  return Object.assign(new Error(`Plugin '${name}' was not loaded: ${why}`), { code: 'KRN_ERR_PLUGIN_REFUSED', plugin: name });
}
