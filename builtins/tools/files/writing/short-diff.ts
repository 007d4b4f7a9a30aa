// Builds a unified diff that is short enough to display.
import { isFailure } from '#lib/errors';
import { textStart } from '#lib/text';
import { decode, type Change } from './change.ts';

const maxChars = 12_000;
const maxBytes = 2 * 1024 * 1024;
const maxMs = 400;

/** Returns the diff; `undefined` for binary or too large files. */
export async function shortDiff(change: Change): Promise<string | undefined> {
  const { previous = Buffer.alloc(0), content, target } = change;
  if (previous.length + content.length > maxBytes) return undefined;
  const before = textOf(previous);
  const after = textOf(content);
  if (before === undefined || after === undefined) return undefined;
  const { structuredPatch, formatPatch, FILE_HEADERS_ONLY } = await import('diff');
  const name = change.previous ? target.shown : '/dev/null';
  const patch = structuredPatch(name, target.shown, before, after, undefined, undefined, { context: 3, timeout: maxMs });
  if (!patch) return undefined;
  const diff = formatPatch(patch, FILE_HEADERS_ONLY).trimEnd();
  return diff.length <= maxChars ? diff : `${textStart(diff, maxChars)}\n… [diff truncated]`;
}

function textOf(bytes: Buffer): string | undefined {
  try {
    return decode(bytes, '').text;
  } catch (fault) {
    if (isFailure(fault)) return undefined;
    throw fault;
  }
}
