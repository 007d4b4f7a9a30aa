// Stores the targets of a call's paths when the call is decided, so that only these files are opened afterwards.
import { BoundedMap } from '#lib/values';
import { explainFault, failure, isMissing } from '#lib/errors';
import type { ExactFile, ExactFiles, FileIdentity } from 'agent-harness/plugins/exact-files';
import type { ToolContext } from 'agent-harness/plugins/tools';
import { locate, type Located, type LocateParts } from './locate.ts';
import { refuseNonFile } from './refuse-non-file.ts';

export type CallPlace = Pick<ToolContext, 'callId' | 'workspaceRoot'>;

/** The current target of a path, and its target at the time of the decision. */
export interface DecidedPlace extends Located {
  /** Identity of the file at the time of the decision; omitted if there was none. */
  readonly decided?: FileIdentity;
}

export interface Decisions {
  /** Resolves a path. The first resolution in a call applies to all later ones. */
  decide(place: CallPlace, path: string): Located;
  /** Returns the target that was decided. Throws a failure if the path now leads elsewhere, or, without a decision, outside the workspace. */
  recall(place: CallPlace, path: string): DecidedPlace;
  /** Handles the end of a call. */
  forget(callId: string): void;
}

/** Maximum number of concurrent calls that are tracked; a dropped call only needs another approval. */
const maxCalls = 10_000;

export function createDecisions(parts: LocateParts): Decisions {
  const calls = new BoundedMap<string, Map<string, Located>>(maxCalls);

  return {
    decide({ callId, workspaceRoot }, path) {
      const places = calls.get(callId) ?? new Map<string, Located>();
      const known = places.get(path);
      if (known) return known;
      const located = locate(path, workspaceRoot, parts);
      places.set(path, located);
      calls.set(callId, places);
      return located;
    },
    recall({ callId, workspaceRoot }, path) {
      const now = locate(path, workspaceRoot, parts);
      const then = calls.get(callId)?.get(path);
      if (!then) {
        if (now.isInside && !now.hasOtherNames) return now;
        throw failure(`${path} leads to ${now.shown}, which has no decision.`, 'Repeat the call.');
      }
      if (then.path !== now.path) throw changed(path);
      return { ...now, hasOtherNames: then.hasOtherNames, ...(then.stats ? { decided: then.stats } : {}) };
    },
    forget: (callId) => void calls.delete(callId),
  };
}

/** Opens a regular file for reading, exactly the one that was decided. The caller must close the descriptor. */
export function openDecided(place: DecidedPlace, files: ExactFiles): ExactFile {
  const opened = openOrExplain(place, files);
  try {
    refuseNonFile(opened.stats, place.shown);
    if (opened.stats.nlink > 1 && !place.hasOtherNames) throw changed(place.shown);
    return opened;
  } catch (fault) {
    files.close(opened);
    throw fault;
  }
}

function openOrExplain({ path, shown, decided }: DecidedPlace, files: ExactFiles): ExactFile {
  try {
    return files.open(path, decided);
  } catch (fault) {
    if (isMissing(fault)) throw failure(`There is no file ${shown}.`);
    throw explainFault(fault, shown);
  }
}

function changed(shown: string): Error {
  return failure(`${shown} was moved or replaced after the decision, so it was not changed.`, 'Repeat the call.');
}
