// Manages the learned sentences about how to behave with this user, each with its origin.
import { tokensIn } from './store/slices.ts';

export interface LivingLine {
  readonly text: string;
  /** `said on 2026-11-22 in chat_…`; empty for a line that the user wrote. */
  readonly source: string;
}

const form = /^[-*]\s+(.*?)(?:\s+\(([^()]*)\))?$/;

/** Parses the lines. Contract: accepts any text; text outside list items also counts as lines. */
export function livingLines(text: string): readonly LivingLine[] {
  return text.split('\n').flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed === '' || trimmed.startsWith('#')) return [];
    const [, said = trimmed, source = ''] = form.exec(trimmed) ?? [];
    return [{ text: said, source }];
  });
}

/** Maximum length of one line in UTF-16 code units. */
export const longestLine = 160;
const mostLines = 12;

/**
 * Adds a line. If there is no space, removes the oldest learned line; lines that the user wrote stay. Ignores a line that differs from an existing one only in
 * letter case.
 * @param room available space in tokens
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
