// Compares two file contents line by line, with limits on size and time.
import { isUtf8 } from 'node:buffer';
import { sha256 } from '#lib/hash';
import type { StructuredPatch, StructuredPatchHunk } from 'diff';

/** Maximum size of both contents together, in bytes. */
const maxBytes = 2 * 1024 * 1024;
const maxMs = 400;
const maxChars = 200_000;

export interface Difference {
  readonly added: number;
  readonly removed: number;
  /** Unified diff; if it is truncated, its last line states that. */
  readonly diff: string;
  /**
   * Ids of the hunks, in the order of the diff. Equal ids denote the same hunk between the same two contents. Empty if hunks are truncated, or if one of the
   * contents is not text that can be restored exactly.
   */
  readonly hunks: string[];
}

/** Returns whether the content contains zero bytes, which text never contains. */
export function isBinary(content: Uint8Array): boolean {
  return content.includes(0);
}

/** Compares two contents; returns `undefined` if they are binary or too large. @param names names of the files in the diff; `undefined` for a missing file */
export async function compareContents(
  before: Buffer,
  after: Buffer,
  names: { readonly before: string | undefined; readonly after: string | undefined },
): Promise<Difference | undefined> {
  if (before.length + after.length > maxBytes || isBinary(before) || isBinary(after)) return undefined;
  const patch = await patchOf(before, after, names);
  if (!patch) return undefined;
  const { formatPatch, FILE_HEADERS_ONLY } = await import('diff');
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const whole = formatPatch(patch, FILE_HEADERS_ONLY).trimEnd();
  const isCut = whole.length > maxChars;
  const shown = isCut ? whole.slice(0, whole.lastIndexOf('\n', maxChars)) : whole;
  const heads = (shown.match(/^@@ /gm) ?? []).length;
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    diff: isCut ? `${shown}\n… [diff truncated]` : shown,
    hunks: isUtf8(before) && isUtf8(after) ? namesOf(patch.hunks, before, after).slice(0, isCut ? heads - 1 : heads) : [],
  };
}

/** Returns `after` with the given hunks reverted to `before`; `undefined` if an id is not, or is no longer, a hunk between these two contents. */
export async function withoutHunks(before: Buffer, after: Buffer, wanted: readonly string[]): Promise<Buffer | undefined> {
  const found = await compareContents(before, after, { before: 'file', after: 'file' });
  const patch = found && (await patchOf(before, after, { before: 'file', after: 'file' }));
  if (!patch || wanted.some((id) => !found.hunks.includes(id))) return undefined;
  return takeBack({ ...patch, hunks: patch.hunks.filter((_, index) => wanted.includes(found.hunks[index] ?? '')) }, after);
}

/**
 * Returns `now` without the change from `before` to `after`, but with later changes; `undefined` if both changed the same lines, or if one of the three is not
 * text that can be restored exactly.
 */
export async function takenOut(before: Buffer, after: Buffer, now: Buffer): Promise<Buffer | undefined> {
  const all = [before, after, now];
  if (all.reduce((sum, one) => sum + one.length, 0) > maxBytes || all.some((one) => isBinary(one) || !isUtf8(one))) return undefined;
  const patch = await patchOf(before, after, { before: 'file', after: 'file' });
  return patch && takeBack(patch, now);
}

/** Reverts a patch; returns `undefined` if the text does not contain the lines of the patch. */
async function takeBack(patch: StructuredPatch, from: Buffer): Promise<Buffer | undefined> {
  const { applyPatch, reversePatch } = await import('diff');
  const text = applyPatch(from.toString('utf8'), reversePatch(patch), { fuzzFactor: 0, autoConvertLineEndings: false });
  return text === false ? undefined : Buffer.from(text);
}

async function patchOf(
  before: Buffer,
  after: Buffer,
  names: { readonly before: string | undefined; readonly after: string | undefined },
): Promise<StructuredPatch | undefined> {
  const { structuredPatch } = await import('diff');
  const none = '/dev/null';
  const texts = [before.toString('utf8'), after.toString('utf8')] as const;
  return structuredPatch(names.before ?? none, names.after ?? none, ...texts, undefined, undefined, { context: 3, timeout: maxMs });
}

/** Returns the ids of hunks. An id covers both contents, so it becomes invalid when one of them changes. */
function namesOf(hunks: readonly StructuredPatchHunk[], before: Buffer, after: Buffer): string[] {
  const between = `${sha256(before)} ${sha256(after)}`;
  return hunks.map(({ lines }, index) => sha256(`${between} ${index}\n${lines.join('\n')}`).slice(0, 24));
}
