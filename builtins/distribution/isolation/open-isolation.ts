// Decides where the file of a plugin runs, by what it says of itself, and reads that where it can do no harm.
import { basename, dirname } from 'node:path';
import type { PluginManifest } from 'agent-harness/kernel';
import { findBubblewrap, tryBubblewrap } from 'agent-harness/lib/bubblewrap';
import type { PluginFaultKind } from 'agent-harness/plugins/settings';
import type { PluginMeter } from '../plugin-usage.ts';
import { nameOf, type PluginDecisions } from '../plugin-trust.ts';
import { readCapabilities } from './capabilities.ts';
import { openKept } from './kept.ts';
import { readManifest } from './guest-run.ts';
import { isolatedPlugin } from './isolated-plugin.ts';

export interface IsolationParts {
  /** Where plugins keep their data; no program of theirs is taken for bubblewrap. */
  readonly dataDir: string;
  /** Where what plugins registered is kept from one start to the next. */
  readonly keptDir: string;
  /** As in `PATH`. */
  readonly searchPath: string;
  /** Tells everybody what a plugin did. */
  readonly blame: (plugin: string, what: string, kind: PluginFaultKind) => void;
  readonly trust: Pick<PluginDecisions, 'choiceOf' | 'saw'>;
  /** What its thread or process takes is charged there. */
  readonly meter: Pick<PluginMeter, 'guest'>;
}

/** Answers the module that stands for a file, or `undefined` where it runs in this process. */
export type IsolateFile = (path: string) => Promise<unknown>;

export function openIsolation({ dataDir, keptDir, searchPath, blame, meter, trust }: IsolationParts): IsolateFile {
  let probed: Promise<string | undefined> | undefined;
  const probe = async (): Promise<string | undefined> => {
    const found = await findBubblewrap(searchPath, dataDir);
    const works = 'program' in found ? await tryBubblewrap(found.program) : found;
    return 'program' in works ? works.program : undefined;
  };

  const bubblewrap = (): Promise<string | undefined> => (probed ??= probe());

  return async (path) => {
    const readable = readableOf(path);
    const kept = openKept(keptDir, path, readable);
    const manifest = kept.manifest ?? ((await readManifest(path, readable, await bubblewrap())) as PluginManifest);
    if (!kept.manifest) kept.keep({ manifest });
    // One without a manifest has the name of its file.
    const { name = nameOf(path) } = manifest as Partial<PluginManifest>;
    const tier = trust.choiceOf(name) ?? manifest.isolation;
    if (tier !== 'worker' && tier !== 'child') return undefined;
    const capabilities = readCapabilities(manifest);
    const asks = trust.saw(name, capabilities);
    if (asks.length > 0) throw notAgreed(name, asks);
    return isolatedPlugin({
      path,
      tier,
      own: readable,
      capabilities,
      manifest: { ...manifest, name, isolation: tier },
      bubblewrap,
      kept,
      onFault: (what, kind) => blame(name, what, kind),
      meter,
    });
  };
}

/** Nothing is wrong with it, so it has the code of what is refused and is no fault of the plugin. */
function notAgreed(name: string, asks: readonly string[]): Error {
  const why = `it wants more than its own folder, and nobody has agreed to that. ${asks.join(' ')} To allow it: app plugins allow ${name}`;
  return Object.assign(new Error(`Plugin '${name}' was not loaded: ${why}`), { code: 'KRN_ERR_PLUGIN_REFUSED', plugin: name });
}

/** A folder with an index is the plugin; a file may keep a folder of its name beside it. */
function readableOf(path: string): readonly string[] {
  const file = basename(path);
  if (/^index\.m?js$/.test(file)) return [dirname(path)];
  return [path, path.replace(/\.m?js$/, '')];
}
