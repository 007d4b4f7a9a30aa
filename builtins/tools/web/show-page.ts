// Returns the requested part of a page, with a header that describes the page and how to continue.
import { maxLine } from '#lib/html-text';
import { countWithNoun, oneLine } from '#lib/text';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import type { Page } from './page-cache.ts';

const defaultChars = 20_000;

export function showPage(page: Page, offset = 0, maxChars = defaultChars): ToolOutcome {
  const { text } = page;
  if (offset > 0 && offset >= text.length) {
    return { ok: false, error: `The page has ${countWithNoun(text.length, 'character')}; offset ${offset} is too large.`, hint: 'Use a smaller offset.' };
  }
  const start = wholeCharacter(text, offset);
  const end = Math.max(wholeCharacter(text, Math.min(text.length, offset + maxChars)), Math.min(text.length, start + 1));
  const head = [
    `URL: ${page.url}`,
    ...(page.title === '' ? [] : [`Title: ${page.title}`]),
    `Status: ${page.status}`,
    `Type: ${oneLine(page.type, maxLine) || 'not stated'}`,
    partLine(start, end, page),
    ...page.notes.map((note) => `Note: ${note}`),
  ];
  return { ok: true, output: `${head.join('\n')}\n\n${text.slice(start, end)}`, isUntrusted: true };
}

function partLine(start: number, end: number, { text: { length }, isCut }: Page): string {
  if (length === 0) return isCut ? 'Part: nothing; the part that was read has no text' : 'Part: nothing; the page has no text';
  const all = isCut ? `the ${length} characters that were read` : `all ${length} characters`;
  if (start === 0 && end === length) return `Part: ${all}`;
  const last = isCut ? '; this is the end of what was read' : '; this is the end';
  return `Part: characters ${start} to ${end} of ${length}${end < length ? `; next: offset ${end}` : last}`;
}

/** Returns the position, moved back by one unit if it is inside a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && at < text.length && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
