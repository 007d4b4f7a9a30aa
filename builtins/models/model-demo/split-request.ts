// Splits a request to the demo model into its parts: "list the files, then read notes.md" has two parts.
import { startsStep } from './parse-step.ts';
import { trimRequest } from './sentence-parts.ts';

const separator = /\s*(?:;\s|[,.!?]?\s+(?:and\s+)?then\b,?|[,.!?]\s*(?:\n\s*)?(?:and\s+)?(?=\s)|\s+and(?=\s)|\n)\s*/gi;
const isStrong = (mark: string, rest: string): boolean =>
  /;|(?:[,.!?]|\band)\s+then\b/i.test(mark) || (mark.includes('\n') && /^(?:[-*•]|\d+[.)])\s/.test(rest));

/** Number of characters that suffice to recognize a request. */
const headLength = 400;

/** Splits a request. A comma or "and" separates parts only before a request that is understood; "and then", a semicolon and list markers always do. */
export function splitRequest(text: string): string[] {
  const masked = maskQuoted(text);
  const parts: string[] = [];
  let start = 0;
  for (const match of masked.matchAll(separator)) {
    const end = match.index + match[0].length;
    const rest = text.slice(end, end + headLength);
    const isOnlyNumber = /^\s*\d{0,3}$/.test(text.slice(start, match.index));
    if (isOnlyNumber || rest.trim() === '') continue;
    if (!isStrong(match[0], rest) && !startsStep(trimRequest(rest))) continue;
    parts.push(text.slice(start, match.index));
    start = end;
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Replaces text in quotes and code marks with placeholders of the same length. */
function maskQuoted(text: string): string {
  return text.replace(/```[\s\S]*?```|`[^`\n]*`|"[^"]*"|“[^”]*”|(?<=^|[\s(:])'[^'\n]*'(?=$|[\s).,;:!?])/g, (quoted) => 'x'.repeat(quoted.length));
}
