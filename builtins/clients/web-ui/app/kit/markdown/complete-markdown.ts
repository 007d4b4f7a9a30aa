// Half-written markdown as it will probably end, so that nothing flickers while it streams.
import remend from 'remend';

/** @param raw the last block of a text that still grows */
export function completeMarkdown(raw: string): string {
  const table = completeTable(raw);
  if (table !== undefined) return table;
  return remend(raw, { linkMode: 'text-only', katex: false, inlineKatex: false });
}

/** A head whose line of dashes is not there yet would be a paragraph first, and then jump. */
function completeTable(raw: string): string | undefined {
  const match = /^( {0,3}\|[^\n]*\|)[ \t]*(?:\n[|:\- \t]*)?$/.exec(raw);
  if (!match?.[1]) return undefined;
  const columns = match[1].replace(/\\\|/g, '').split('|').length - 2;
  return columns < 1 ? undefined : `${match[1]}\n|${' --- |'.repeat(columns)}`;
}
