// Decides when a file tool needs an approval, with the reason as a sentence.
import { isFailure } from '#lib/errors';
import type { CallPlace } from './paths/decisions.ts';
import type { Located } from './paths/locate.ts';
import { attachmentIdOf } from './reading/read-attachment.ts';
import type { FilePorts } from './ports.ts';
import { whySteers } from './paths/steering-files.ts';

/** `undefined`: no approval needed. An invalid path is left for the tool to refuse. */
export function whyReadingAsks(path: string, place: CallPlace, ports: FilePorts): string | undefined {
  // Files attached by the user may be read.
  if (attachmentIdOf(path) !== undefined) return undefined;
  const located = locateIfUsable(path, place, ports);
  if (!located) return undefined;
  if (!located.isInside) return `It reads ${located.shown}, which is outside the workspace.`;
  return located.hasOtherNames ? `It reads ${located.shown}, ${otherNames}.` : undefined;
}

/** Returns why a write affects other programs or agents, regardless of earlier approvals. */
export function whySteeringAsks(path: string, place: CallPlace, ports: FilePorts): string | undefined {
  const located = locateIfUsable(path, place, ports);
  const why = located && whySteers(located.shown);
  return why && `It writes ${located.shown}: ${why}.`;
}

/** Like {@link whyReadingAsks}. */
export function whyWritingAsks(path: string, place: CallPlace, ports: FilePorts): string | undefined {
  const located = locateIfUsable(path, place, ports);
  if (!located) return undefined;
  if (!located.isInside) return `It writes ${located.shown}, which is outside the workspace.`;
  // The old content is read first: the result of an edit contains it.
  if (located.hasOtherNames) return `It changes ${located.shown}, ${otherNames}.`;
  return ports.hasUndo ? undefined : `It writes ${located.shown}, and nothing can undo that here.`;
}

const otherNames = 'which is a hard link: the same file has another name, maybe outside the workspace';

function locateIfUsable(path: string, place: CallPlace, { decisions }: FilePorts): Located | undefined {
  try {
    return decisions.decide(place, path);
  } catch (fault) {
    if (isFailure(fault)) return undefined;
    throw fault;
  }
}
