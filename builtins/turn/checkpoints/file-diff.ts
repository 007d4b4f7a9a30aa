// The difference of two contents, in lines; bounded in size and time.

/** Bytes of both contents together; more is not compared. */
const maxBytes = 2 * 1024 * 1024;
const maxMs = 400;
const maxChars = 200_000;

export interface Difference {
  readonly added: number;
  readonly removed: number;
  /** Unified; a line at its end says where it goes on. */
  readonly diff: string;
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
  const { structuredPatch, formatPatch, FILE_HEADERS_ONLY } = await import('diff');
  const none = '/dev/null';
  const texts = [before.toString('utf8'), after.toString('utf8')] as const;
  const patch = structuredPatch(names.before ?? none, names.after ?? none, ...texts, undefined, undefined, { context: 3, timeout: maxMs });
  if (!patch) return undefined;
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  const diff = formatPatch(patch, FILE_HEADERS_ONLY).trimEnd();
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
    diff: diff.length <= maxChars ? diff : `${diff.slice(0, diff.lastIndexOf('\n', maxChars))}\n… [the diff goes on]`,
  };
}
