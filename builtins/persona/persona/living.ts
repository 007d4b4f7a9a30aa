// What the agent learned about how to behave with this person: lines, each with where it comes from.

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

export function livingText(lines: readonly LivingLine[]): string {
  return lines.map(({ text, source }) => `- ${text}${source === '' ? '' : ` (${source})`}`).join('\n');
}
