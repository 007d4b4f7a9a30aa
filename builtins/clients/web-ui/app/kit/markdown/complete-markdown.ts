// Completes unfinished Markdown with its probable continuation, to avoid flicker while streaming.
import remend from 'remend';

/** @param raw the last block of a growing text */
export function completeMarkdown(raw: string): string {
  const table = completeTable(raw);
  if (table !== undefined) return table;
  return remend(raw, { linkMode: 'text-only', katex: false, inlineKatex: false });
}

/** Completes a table header that has no delimiter row yet. Otherwise it would first be rendered as a paragraph and then jump. */
function completeTable(raw: string): string | undefined {
  const match = /^( {0,3}\|[^\n]*\|)[ \t]*(?:\n[|:\- \t]*)?$/.exec(raw);
  if (!match?.[1]) return undefined;
  const columns = match[1].replace(/\\\|/g, '').split('|').length - 2;
  return columns < 1 ? undefined : `${match[1]}\n|${' --- |'.repeat(columns)}`;
}
