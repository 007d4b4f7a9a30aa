// Reads the manifest of a plugin in a child process, before anything of the plugin is loaded.
import { basename, dirname } from 'node:path';
import { findBubblewrap, tryBubblewrap } from 'agent-harness/lib/bubblewrap';
import type { InspectedPlugin, SaidManifest } from 'agent-harness/plugins/settings';
import { isRecord } from 'agent-harness/lib/values';
import { describeCapabilities, grown, readCapabilities, refuseForeign, type Capabilities } from './capabilities.ts';
import { readManifest } from './plugin-process.ts';

type Asking = Parameters<InspectedPlugin['grownSince']>[0];

/** Rejects with what the file throws, or what is wrong with what it asks for. @param path of the file that would be loaded */
export async function inspectPlugin(path: string, dataDir: string, searchPath: string): Promise<InspectedPlugin> {
  const found = await findBubblewrap(searchPath, dataDir);
  const works = 'program' in found ? await tryBubblewrap(found.program) : found;
  const isIndex = /^index\.m?js$/.test(basename(path));
  const readable = isIndex ? [dirname(path)] : [path, path.replace(/\.m?js$/, '')];
  const said = await readManifest(path, readable, 'program' in works ? works.program : undefined);
  const manifest = (isRecord(said) ? said : {}) as SaidManifest;
  const capabilities = readAll(manifest);
  if (manifest.isolation !== 'process') refuseForeign({ name: 'inspected', ...manifest }, capabilities);
  return {
    manifest,
    needs: describeCapabilities(capabilities),
    grownSince: (before) => grown(readAll(before), capabilities),
  };
}

function readAll(said: Asking): Capabilities {
  return readCapabilities({ name: 'inspected', ...said });
}
