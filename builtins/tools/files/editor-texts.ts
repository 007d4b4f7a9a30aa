// Reads the text of files that are open in an editor (their holder). The holder is fixed when a call is decided.
import { readFileSync } from 'node:fs';
import type { TextHolder, TextHolders } from 'agent-harness/builtins/tools/files';
import { failure, isMissing, messageOf } from '#lib/errors';
import { BoundedMap } from '#lib/values';
import type { PointHandler } from 'agent-harness/kernel';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { ToolContext } from 'agent-harness/plugins/tools';
import type { Located } from './paths/locate.ts';

export type EditorFile = Pick<ToolContext, 'callId' | 'chatId'>;

export interface EditorTexts {
  readonly point: PointHandler<TextHolders>;
  /** Fixes the holder for a call: the first resolution applies to all later ones. */
  decide(place: EditorFile): void;
  /** Returns the holder of the file for this call. Throws a failure if it has disconnected since the decision. */
  holderOf(place: EditorFile, located: Pick<Located, 'path' | 'shown'>): TextHolder | undefined;
  /** Handles the end of a call. */
  forget(callId: string): void;
}

/** Maximum size of a file on disk in bytes, and of a text to write in characters; larger files are never read through a holder. */
export const longestEditorText = 4 * 1024 * 1024;

/** Maximum number of concurrent calls that are tracked. */
const maxCalls = 10_000;

export function createEditorTexts(): EditorTexts {
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
      validate: (source) => (typeof source.holderOf === 'function' ? undefined : 'a text_holder contribution needs a function holderOf.'),
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
      if (holder.gone.aborted) throw failure(`${holder.name}, which had ${shown} open, disconnected after the decision, so it was not changed.`, again);
      return holder;
    },
    forget: (callId) => void calls.delete(callId),
  };
}

const again = 'Repeat the call; it then uses the file on disk.';

/** Returns the holder's current text. */
export async function readFromEditor(holder: TextHolder, { path, shown }: Pick<Located, 'path' | 'shown'>, signal?: AbortSignal): Promise<string> {
  try {
    return await holder.read(path, signal);
  } catch (fault) {
    signal?.throwIfAborted();
    throw failure(`${holder.name} has ${shown} open and did not send its text: ${messageOf(fault)}`, holder.gone.aborted ? again : undefined);
  }
}

/** Returns the content on disk; `undefined` if there is no file. */
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
