// Applies a unified diff to one text: all hunks, or a failure that names the first one that does not match.
import { failure, messageOf } from '#lib/errors';
import type { StructuredPatch } from 'diff';
import { applyEnvelope, isEnvelope } from './apply-envelope.ts';
import { lineEndingOf, withoutReturns, withReturns } from './apply-edits.ts';
import { nearestText } from './nearest-text.ts';

/** @param path path as given in the call; a patch in the format of `apply_patch` must name the same path */
export async function applyPatchText(text: string, patchText: string, shown: string, path: string): Promise<string> {
  const { plain, ends } = withoutReturns(text);
  const patch = withoutReturns(patchText).plain;
  const changed = isEnvelope(patch) ? applyEnvelope(plain, patch, shown, path) : await applyUnified(plain, patch, shown);
  if (!ends.includes('\r\n')) return changed;
  const { diffArrays } = await import('diff');
  return withReturns(changed, endsAfter(diffArrays(plain.split('\n'), changed.split('\n')), ends, lineEndingOf(text)));
}

/** Keeps the line endings of unchanged lines, and gives new lines the ending of the line before. */
function endsAfter(
  parts: readonly { readonly added?: boolean; readonly removed?: boolean; readonly value: readonly string[] }[],
  ends: readonly string[],
  eol: string,
): string[] {
  const after: string[] = [];
  let at = 0;
  for (const { added, removed, value } of parts) {
    if (!added && !removed) after.push(...value.map((_, index) => ends[at + index] ?? eol));
    else if (added) after.push(...value.map(() => after.at(-1) ?? ends[at] ?? eol));
    if (!added) at += value.length;
  }
  return after;
}

async function applyUnified(text: string, patchText: string, shown: string): Promise<string> {
  const { applyPatch, parsePatch } = await import('diff');
  const patch = parseOne(patchText, parsePatch);
  const applied = applyPatch(text, patch);
  if (applied !== false) return applied;
  const misfit = patch.hunks.findIndex((_, index) => applyPatch(text, { ...patch, hunks: patch.hunks.slice(0, index + 1) }) === false);
  throw doesNotFit(text, patch, Math.max(misfit, 0), shown);
}

function parseOne(patchText: string, parse: (text: string) => StructuredPatch[]): StructuredPatch {
  const patches = parseLeniently(patchText, parse).filter((patch) => patch.hunks.length > 0);
  const [patch] = patches;
  if (!patch) throw failure('The patch has no hunks.', 'Start hunks with a line such as @@ -10,3 +10,4 @@.');
  if (patches.length > 1) throw failure(`The patch changes ${patches.length} files.`, 'Pass one patch per file.');
  return patch;
}

function parseLeniently(patchText: string, parse: (text: string) => StructuredPatch[]): StructuredPatch[] {
  try {
    return parse(patchText);
  } catch {
    // Wrong line counts are the usual mistake, and can be recomputed from the lines.
  }
  try {
    return parse(withCounts(patchText));
  } catch (fault) {
    throw failure(`The patch is not a unified diff: ${messageOf(fault)}.`, 'Use edits instead, or rewrite the hunks.');
  }
}

/** Recomputes the line counts of all hunk headers. */
function withCounts(patchText: string): string {
  const lines = patchText.replace(/\n+$/, '').split('\n');
  const out: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const header = /^@@(?: -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)?)? ?@@/.exec(lines[index] ?? '');
    if (!header) {
      out.push(lines[index] ?? '');
      continue;
    }
    const end = endOfHunk(lines, index + 1);
    const body = lines.slice(index + 1, end).map((line) => (line === '' ? ' ' : line));
    const before = body.filter((line) => /^[ -]/.test(line)).length;
    const after = body.filter((line) => /^[ +]/.test(line)).length;
    out.push(`@@ -${header[1] ?? '1'},${before} +${header[2] ?? '1'},${after} @@`, ...body);
    index = end - 1;
  }
  return `${out.join('\n')}\n`;
}

function endOfHunk(lines: readonly string[], from: number): number {
  const end = lines.findIndex(
    (line, index) => index >= from && (/^(?:@@|diff --git |Index: )/.test(line) || (line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ '))),
  );
  return end === -1 ? lines.length : end;
}

function doesNotFit(text: string, patch: StructuredPatch, index: number, shown: string): Error {
  const hunk = patch.hunks[index];
  const expected = (hunk?.lines ?? []).filter((line) => !/^[+\\]/.test(line)).map((line) => line.slice(1));
  const nearest = nearestText(text, expected.join('\n'));
  const where = nearest ? ` Closest text (lines ${nearest.first} to ${nearest.last}):\n${nearest.text}` : '';
  return failure(
    `Hunk ${index + 1} of ${patch.hunks.length} (line ${hunk?.oldStart ?? 1}) does not match ${shown}; nothing was changed.${where}`,
    'Reread those lines and rewrite the patch, or use edits.',
  );
}
