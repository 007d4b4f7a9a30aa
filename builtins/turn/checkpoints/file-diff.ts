// The difference of two contents, in lines; bounded in size and time.
import { isUtf8 } from 'node:buffer';
import { sha256 } from 'agent-harness/lib/hash';
import type { StructuredPatch, StructuredPatchHunk } from 'diff';

/** Bytes of both contents together; more is not compared. */
const maxBytes = 2 * 1024 * 1024;
const maxMs = 400;
const maxChars = 200_000;

export interface Difference {
  readonly added: number;
  readonly removed: number;
  /** Unified; a line at its end says where it goes on. */
  readonly diff: string;
  /**
   * What names each hunk, in the order of the diff: the same only for the same hunk between the same two contents. Those that the diff does not show
   * as a whole have none; nor has any where one of the contents is no text that can be written back as it was.
   */
  readonly hunks: string[];
}

/** Zero bytes stand in no text. */
export function isBinary(content: Uint8Array): boolean {
  return content.includes(0);
}

/** `undefined` where there is nothing sensible to compare: binary or huge. @param names as the diff shall show them; `undefined` for no file */
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
    diff: isCut ? `${shown}\n… [the diff goes on]` : shown,
    hunks: isUtf8(before) && isUtf8(after) ? namesOf(patch.hunks, before, after).slice(0, isCut ? heads - 1 : heads) : [],
  };
}

/**
 * What is there without some of the hunks: `after`, with these lines as they were in `before`. `undefined` where one of them is no hunk between these
 * two contents, or not any more.
 */
export async function withoutHunks(before: Buffer, after: Buffer, wanted: readonly string[]): Promise<Buffer | undefined> {
  const found = await compareContents(before, after, { before: 'file', after: 'file' });
  const patch = found && (await patchOf(before, after, { before: 'file', after: 'file' }));
  if (!patch || wanted.some((id) => !found.hunks.includes(id))) return undefined;
  return takeBack({ ...patch, hunks: patch.hunks.filter((_, index) => wanted.includes(found.hunks[index] ?? '')) }, after);
}

/**
 * What is there now without what led from `before` to `after`: what somebody changed later stays. `undefined` where both changed the same lines, or
 * one of the three is no text that can be written back as it was.
 */
export async function takenOut(before: Buffer, after: Buffer, now: Buffer): Promise<Buffer | undefined> {
  const all = [before, after, now];
  if (all.reduce((sum, one) => sum + one.length, 0) > maxBytes || all.some((one) => isBinary(one) || !isUtf8(one))) return undefined;
  const patch = await patchOf(before, after, { before: 'file', after: 'file' });
  return patch && takeBack(patch, now);
}

/** `undefined` where its lines are not there. */
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

/** Both contents are in the name, so that it means nothing once one of them is another. */
function namesOf(hunks: readonly StructuredPatchHunk[], before: Buffer, after: Buffer): string[] {
  const between = `${sha256(before)} ${sha256(after)}`;
  return hunks.map(({ lines }, index) => sha256(`${between} ${index}\n${lines.join('\n')}`).slice(0, 24));
}
