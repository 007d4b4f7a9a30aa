// Requires approval for writing a file whose content is trusted, because the new content would take effect afterwards.
import { isFailure } from '#lib/errors';
import type { Trust } from 'agent-harness/plugins/trust';
import type { CallPlace } from './paths/decisions.ts';
import type { FilePorts } from './ports.ts';

/** Returns the reason why the write needs approval; `undefined` if the file's content is not trusted. The tool itself rejects an invalid path. */
export async function whyTrustedAsks(path: string, place: CallPlace, trust: Trust, ports: FilePorts): Promise<string | undefined> {
  try {
    const located = ports.decisions.decide(place, path);
    const title = await trust.coverOf(place.workspaceRoot, located.path);
    return title === undefined ? undefined : `The call writes ${located.shown}, whose content you trusted (${title}).`;
  } catch (fault) {
    if (isFailure(fault)) return undefined;
    throw fault;
  }
}
