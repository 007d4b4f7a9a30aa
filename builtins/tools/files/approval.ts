// Decides whether a file tool needs approval, and returns the reason as a sentence.
import { isFailure } from '#lib/errors';
import type { CallPlace } from './paths/decisions.ts';
import type { Located } from './paths/locate.ts';
import { attachmentIdOf } from './reading/read-attachment.ts';
import type { FilePorts } from './ports.ts';
import { whySteers } from './paths/steering-files.ts';

/** Returns the reason why reading a file needs approval; `undefined` if it does not. The tool itself rejects an invalid path. */
export function whyReadingAsks(path: string, place: CallPlace, ports: FilePorts): string | undefined {
  // The user attached these files, so they may be read.
  if (attachmentIdOf(path) !== undefined) return undefined;
  const located = locateIfUsable(path, place, ports);
  if (!located) return undefined;
  if (!located.isInside) return `The call reads ${located.shown}, which is outside the workspace.`;
  return located.hasOtherNames ? `The call reads ${located.shown}, ${otherNames}.` : undefined;
}

/** Returns the reason if a write would affect other programs or agents, regardless of earlier approvals. */
export function whySteeringAsks(path: string, place: CallPlace, ports: FilePorts): string | undefined {
  const located = locateIfUsable(path, place, ports);
  const why = located && whySteers(located.shown);
  return why && `The call writes ${located.shown}: ${why}.`;
}

/** Returns the reason why writing a file needs approval; `undefined` if it does not. */
export function whyWritingAsks(path: string, place: CallPlace, ports: FilePorts): string | undefined {
  const located = locateIfUsable(path, place, ports);
  if (!located) return undefined;
  if (!located.isInside) return `The call writes ${located.shown}, which is outside the workspace.`;
  // A write also reveals the old content, because the result of an edit contains it.
  if (located.hasOtherNames) return `The call changes ${located.shown}, ${otherNames}.`;
  return ports.hasUndo ? undefined : `The call writes ${located.shown}, and the change cannot be undone here.`;
}

const otherNames = 'which is a hard link: the same file may have another name outside the workspace';

function locateIfUsable(path: string, place: CallPlace, { decisions }: FilePorts): Located | undefined {
  try {
    return decisions.decide(place, path);
  } catch (fault) {
    if (isFailure(fault)) return undefined;
    throw fault;
  }
}
