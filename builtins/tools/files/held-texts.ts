// Text of files that somebody has open in a chat: who that was when it was decided about a call is who is asked.
import { readFileSync } from 'node:fs';
import type { TextHolder, TextHolders } from 'agent-harness/builtins/tools/files';
import { failure, isMissing, messageOf } from 'agent-harness/lib/errors';
import { BoundedMap } from 'agent-harness/lib/values';
import type { PointHandler } from 'agent-harness/kernel';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { ToolContext } from 'agent-harness/plugins/tools';
import type { Located } from './paths/locate.ts';

export type HeldPlace = Pick<ToolContext, 'callId' | 'chatId'>;

export interface HeldTexts {
  readonly point: PointHandler<TextHolders>;
  /** The first look of a call counts for all that follow. */
  decide(place: HeldPlace): void;
  /** Who holds the file for this call; a failure where that one has left since it was decided. */
  holderOf(place: HeldPlace, located: Pick<Located, 'path' | 'shown'>): TextHolder | undefined;
  /** The call is over. */
  forget(callId: string): void;
}

/** Bytes on the disk, or characters to be written: larger files are nobody's to hold. */
export const longestHeld = 4 * 1024 * 1024;

/** Calls that are decided about at once. */
const maxCalls = 10_000;

export function createHeldTexts(): HeldTexts {
  const sources = new Set<TextHolders>();
  const calls = new BoundedMap<string, { readonly holder: TextHolder | undefined }>(maxCalls);

  function now(chatId: string): TextHolder | undefined {
    for (const source of sources) {
      const holder = source.holderOf(chatId);
      if (holder) return holder;
    }
    return undefined;
  }

  return {
    point: {
      validate: (source) => (typeof source.holderOf === 'function' ? undefined : 'whoever holds texts needs a function holderOf.'),
      added: (source) => void sources.add(source),
      removed: (source) => void sources.delete(source),
    },
    decide({ callId, chatId }) {
      if (!calls.has(callId)) calls.set(callId, { holder: now(chatId) });
    },
    holderOf({ callId, chatId }, { path, shown }) {
      const decided = calls.get(callId);
      const holder = decided ? decided.holder : now(chatId);
      if (!holder?.holds(path)) return undefined;
      if (holder.gone.aborted) throw failure(`${holder.name}, which had ${shown} open, has left since it was decided about, so it was not touched.`, again);
      return holder;
    },
    forget: (callId) => void calls.delete(callId),
  };
}

const again = 'Make the call again: then the file on the disk counts.';

/** The text as it is in the hands of its holder. */
export async function askHeld(holder: TextHolder, { path, shown }: Pick<Located, 'path' | 'shown'>, signal?: AbortSignal): Promise<string> {
  try {
    return await holder.read(path, signal);
  } catch (fault) {
    signal?.throwIfAborted();
    throw failure(`${holder.name} has ${shown} open and did not give its text: ${messageOf(fault)}`, holder.gone.aborted ? again : undefined);
  }
}

/** What is on the disk now; `undefined` for no file. */
export function readDisk(path: string, files: ExactFiles): Buffer | undefined {
  try {
    const opened = files.open(path);
    try {
      return readFileSync(opened.descriptor);
    } finally {
      files.close(opened);
    }
  } catch (fault) {
    if (isMissing(fault)) return undefined;
    throw fault;
  }
}
