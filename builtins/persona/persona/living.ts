// What the agent learned about how to behave with this person: lines, each with where it comes from.
import { tokensIn } from './store/slices.ts';

export interface LivingLine {
  readonly text: string;
  /** `said on 2026-11-22 in chat_…`; empty for a line that a person wrote there. */
  readonly source: string;
}

const form = /^[-*]\s+(.*?)(?:\s+\(([^()]*)\))?$/;

/** Contract: any text; what is no line of a list counts as a line, too. */
export function livingLines(text: string): readonly LivingLine[] {
  return text.split('\n').flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    const [, said = trimmed, source = ''] = form.exec(trimmed) ?? [];
    return [{ text: said, source }];
  });
}

/** UTF-16 units of one line; what is longer is no preference. */
export const longestLine = 160;
const mostLines = 12;

/**
 * With one more line. The oldest that was learned goes where there is no room; what a person wrote there stays. A line that says the same in
 * other letters stays as it was.
 * @param room tokens
 */
export function withLine(text: string, line: LivingLine, room: number): string {
  const lines = [...livingLines(text)];
  if (lines.some((one) => sameSaying(one.text) === sameSaying(line.text))) return text;
  lines.push(line);
  while (lines.length > mostLines || tokensIn(livingText(lines)) > room) {
    const oldest = lines.findIndex(({ source }) => source !== '');
    if (oldest === -1 || lines.length === 1) return text;
    lines.splice(oldest, 1);
  }
  return lines.includes(line) ? livingText(lines) : text;
}

const sameSaying = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

export function livingText(lines: readonly LivingLine[]): string {
  return lines.map(({ text, source }) => `- ${text}${source === '' ? '' : ` (${source})`}`).join('\n');
}
