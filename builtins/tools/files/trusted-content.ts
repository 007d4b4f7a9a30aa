// A write into a file whose content a person trusted asks: after it, something else would run.
import { isFailure } from 'agent-harness/lib/errors';
import type { Trust } from 'agent-harness/plugins/trust';
import type { CallPlace } from './paths/decisions.ts';
import type { FilePorts } from './ports.ts';

/** `undefined` where nobody trusted the content of the file. A path that cannot be used at all is left for the tool to refuse. */
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
