// Requires an approval for writing a file with trusted content: afterwards, different content would take effect.
import { isFailure } from '#lib/errors';
import type { Trust } from 'agent-harness/plugins/trust';
import type { CallPlace } from './paths/decisions.ts';
import type { FilePorts } from './ports.ts';

/** `undefined` if the file's content is not trusted. An invalid path is left for the tool to refuse. */
export async function whyTrustedAsks(path: string, place: CallPlace, trust: Trust, ports: FilePorts): Promise<string | undefined> {
  try {
    const located = ports.decisions.decide(place, path);
    const title = await trust.coverOf(place.workspaceRoot, located.path);
    return title === undefined ? undefined : `It writes ${located.shown}, whose content you trusted (${title}).`;
  } catch (fault) {
    if (isFailure(fault)) return undefined;
    throw fault;
  }
}
