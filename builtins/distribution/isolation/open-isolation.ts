// Decides where the file of a plugin runs, by what a person and it itself say, else by what it uses; and reads that where it can do no harm.
import { readFileSync } from 'node:fs';
import type { PluginManifest, PluginModule } from 'agent-harness/kernel';
import type { PluginFaultKind } from 'agent-harness/plugins/settings';
import type { PluginMeter } from '../plugin-usage.ts';
import { nameOf, type PluginDecisions } from '../plugin-trust.ts';
import { readCapabilities } from './capabilities.ts';
import { ownFiles, type KeptPlugin, type KeptPlugins } from './kept.ts';
import type { RunCopies } from './files-to-run.ts';
import { isolatedPlugin, type IsolatedParts } from './isolated-plugin.ts';
import { createThreadMemory } from './thread-memory.ts';

export interface IsolationParts {
  /** Where plugins keep their data; no program of theirs is taken for bubblewrap. */
  readonly dataDir: string;
  /** What plugins said and registered in earlier starts. */
  readonly allKept: Pick<KeptPlugins, 'of' | 'ofSame'>;
  /** As in `PATH`. */
  readonly searchPath: string;
  /** Tells everybody what a plugin did. */
  readonly blame: (plugin: string, what: string, kind: PluginFaultKind) => void;
  readonly trust: Pick<PluginDecisions, 'choiceOf' | 'saw' | 'placed'>;
  /** What its thread or process takes is charged there. */
  readonly meter: Pick<PluginMeter, 'guest'>;
  readonly copies: RunCopies;
}

/** What is known of a file before it is looked at. */
export interface FileOrigin {
  /** It was installed: what it says is asked of it where it can do no harm, however it is written. */
  readonly isInstalled: boolean;
  /** It runs in a thread unless something keeps it in the process. */
  readonly isApartByDefault: boolean;
}

export interface PlacedFile {
  /** Stands for the file; `undefined` where it runs in this process. */
  readonly module?: PluginModule<never>;
  /** Neither its manifest nor a person said so. */
  readonly isByDefault?: boolean;
}

/** A file whose place is known without reading it. */
export interface KnownFile extends Required<PlacedFile> {
  /** The hash of all that the plugin holds, where that is kept, too. */
  readonly content: string | undefined;
}

export interface Isolation {
  place(path: string, origin: FileOrigin): Promise<PlacedFile>;
  /** Only of what runs apart, and was looked at as it stands in an earlier start. Throws where nobody has agreed to what it wants. */
  known(path: string, origin: FileOrigin): KnownFile | undefined;
}

export function openIsolation({ dataDir, allKept, searchPath, blame, meter, trust, copies }: IsolationParts): Isolation {
  const threads = createThreadMemory();
  let probed: Promise<string | undefined> | undefined;
  const probe = async (): Promise<string | undefined> => {
    const { findBubblewrap, tryBubblewrap } = await import('agent-harness/lib/bubblewrap');
    const found = await findBubblewrap(searchPath, dataDir);
    const works = 'program' in found ? await tryBubblewrap(found.program) : found;
    return 'program' in works ? works.program : undefined;
  };

  const bubblewrap = (): Promise<string | undefined> => (probed ??= probe());

  async function read(path: string, own: readonly string[], kept: KeptPlugin): Promise<PluginManifest> {
    if (kept.manifest) return kept.manifest;
    const { readManifest } = await import('./guest-run.ts');
    const manifest = (await readManifest(path, own, await bubblewrap())) as PluginManifest;
    kept.keep({ manifest });
    return manifest;
  }

  return { place, known };

  async function place(path: string, { isInstalled, isApartByDefault }: FileOrigin): Promise<PlacedFile> {
    const own = ownFiles(path);
    const kept = allKept.of(path, own);
    // Of the name that the kernel gives it: a manifest that says another one is refused there.
    const fileName = nameOf(path);
    const chosen = trust.choiceOf(fileName);
    if (chosen === 'process') return inProcess(fileName, 'was put there by you');
    const isAsked = chosen !== undefined || isInstalled || (!kept.place && /\bisolation\b/.test(readFileSync(path, 'utf8')));
    const said = isAsked ? await read(path, own, kept) : undefined;
    const tier = chosen ?? said?.isolation;
    if (tier === 'process') return inProcess(fileName, 'says so itself');
    if (tier === 'worker' || tier === 'child') return { module: apart(path, tier, said ?? {}, own, kept) };
    if (!isApartByDefault) return {};
    const because = kept.place ? kept.place.because : await whyInProcess(path, own, kept, said);
    if (kept.place?.tier === 'process' || because !== undefined) return inProcess(fileName, because, true);
    return { module: apart(path, 'worker', kept.manifest ?? {}, own, kept), isByDefault: true };
  }

  function known(path: string, { isInstalled, isApartByDefault }: FileOrigin): KnownFile | undefined {
    const own = ownFiles(path);
    const kept = allKept.ofSame(path, own);
    const chosen = trust.choiceOf(nameOf(path));
    if (!kept?.manifest || chosen === 'process') return undefined;
    const { manifest, content } = kept;
    const isAsked = chosen !== undefined || isInstalled || !kept.place;
    const tier = isAsked ? (chosen ?? manifest.isolation) : undefined;
    if (tier === 'worker' || tier === 'child') return { module: apart(path, tier, manifest, own, kept), isByDefault: false, content };
    if (tier !== undefined || !isApartByDefault || kept.place?.tier !== 'worker') return undefined;
    return { module: apart(path, 'worker', manifest, own, kept), isByDefault: true, content };
  }

  function inProcess(name: string, because: string | undefined, isByDefault = false): PlacedFile {
    trust.placed(name, because);
    return { isByDefault };
  }

  /** Contract: never throws for what is wrong with the plugin; it answers so where it is loaded. */
  async function whyInProcess(path: string, own: readonly string[], kept: KeptPlugin, said: PluginManifest | undefined): Promise<string | undefined> {
    const [{ lookThrough }, { tryApart }] = await Promise.all([import('./look-through.ts'), import('./trial.ts')]);
    const stay = (because: string): string => {
      kept.keep({ ...(kept.manifest ? { manifest: kept.manifest } : {}), place: { tier: 'process', because } });
      return because;
    };
    const look = await lookThrough(path, own);
    // Whatever its manifest says: then that is not read.
    const early = look.whyInProcess(undefined);
    if (early !== undefined) return stay(early);
    const manifest = said ?? look.manifest ?? (await read(path, own, kept));
    const why = look.whyInProcess(manifest) ?? whyManifest(manifest);
    if (why !== undefined) return stay(why);
    const name = manifest.name ?? nameOf(path);
    const capabilities = agreedTo(name, manifest);
    const { because, registered, isWhole } = await tryApart({ path, own, manifest: { ...manifest, name }, capabilities, dataDir, members: look.members });
    if (because !== undefined) return stay(because);
    kept.keep({ manifest, ...(registered ? { registered } : {}), ...(isWhole ? { place: { tier: 'worker' } } : {}) });
    return undefined;
  }

  /** Throws where nobody has agreed to what it wants. */
  function agreedTo(name: string, manifest: PluginManifest): ReturnType<typeof readCapabilities> {
    const capabilities = readCapabilities(manifest);
    const asks = trust.saw(name, capabilities);
    if (asks.length > 0) throw notAgreed(name, asks);
    return capabilities;
  }

  function apart(path: string, tier: 'worker' | 'child', said: Partial<PluginManifest>, own: readonly string[], kept: KeptPlugin): PluginModule<never> {
    // One without a manifest has the name of its file.
    const manifest: PluginManifest = { ...said, name: said.name ?? nameOf(path), isolation: tier };
    const { name } = manifest;
    const capabilities = agreedTo(name, manifest);
    trust.placed(name);
    const onFault: IsolatedParts['onFault'] = (what, kind) => blame(name, what, kind);
    return isolatedPlugin({ path, tier, own, capabilities, manifest, bubblewrap, kept, onFault, meter, threads, copies });
  }
}

/** As the end of a sentence. What is no manifest is told by whoever loads it. */
function whyManifest(manifest: PluginManifest): string | undefined {
  const lists = [manifest.requires, manifest.optional, manifest.provides].map((one: unknown) => one ?? []);
  if (!lists.every(Array.isArray)) return 'has a manifest that cannot be read';
  const [requires = [], optional = [], provides = []] = lists as string[][];
  const [used] = [...requires, ...optional];
  if (used !== undefined) return `uses the service '${used}', and its manifest does not say where it runs`;
  return provides[0] === undefined ? undefined : `provides the service '${provides[0]}'`;
}

/** Nothing is wrong with it, so it has the code of what is refused and is no fault of the plugin. */
function notAgreed(name: string, asks: readonly string[]): Error {
  const why = `it wants more than its own folder, and nobody has agreed to that. ${asks.join(' ')} To allow it: app plugins allow ${name}`;
  return Object.assign(new Error(`Plugin '${name}' was not loaded: ${why}`), { code: 'KRN_ERR_PLUGIN_REFUSED', plugin: name });
}
