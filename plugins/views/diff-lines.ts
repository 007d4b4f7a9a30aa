// Renders a diff of a view as lines of text: in unified form, or in words for screen readers.
import { countWithNoun } from '#lib/text';
import { makeSafe } from '#lib/terminal';
import { linesOfDiff, lineOfHunk, type DiffLine } from '#lib/diff-parts';
import { idRun, type Line, type Look, type Room } from './line.ts';
import type { Block } from './view-schema.ts';
import { actionsOfRow, plain } from './view-texts.ts';

const drawn: Readonly<Record<DiffLine['kind'], { readonly sign: string; readonly look: Look }>> = {
  file: { sign: '', look: 'accent' },
  hunk: { sign: '', look: 'accent' },
  added: { sign: '+', look: 'good' },
  removed: { sign: '-', look: 'bad' },
  same: { sign: ' ', look: 'weak' },
  note: { sign: '', look: 'weak' },
};

export function diffLines({ path, diff, hunks = [], rowActions }: Block<'diff'>, { isDrawn, isCalled }: Room): Line[] {
  const lines = linesOfDiff(makeSafe(diff));
  // The path identifies a single file.
  const hasFiles = lines.filter(({ kind }) => kind === 'file').length > 1;
  let hunk = -1;
  return [
    ...(path === undefined ? [] : [[{ text: plain(path), look: 'accent' as const }]]),
    ...(isDrawn ? [] : [[{ text: countText(lines) }]]),
    ...lines.flatMap(({ kind, text }): Line[] => {
      if (kind === 'file' && !hasFiles) return [];
      if (kind === 'hunk') hunk++;
      const row = kind === 'hunk' ? hunks[hunk] : undefined;
      const id = idRun(row?.id, isCalled && row !== undefined && actionsOfRow(rowActions, row).length > 0);
      const { sign, look } = drawn[kind];
      const said = text.replaceAll('\t', '    ');
      return [[isDrawn ? { text: `${sign}${said}`, look } : { text: wordsOf(kind, said) }, ...id]];
    }),
  ];
}

function countText(lines: readonly DiffLine[]): string {
  const count = (wanted: DiffLine['kind']): number => lines.filter(({ kind }) => kind === wanted).length;
  const [added, removed] = [count('added'), count('removed')];
  return `${countWithNoun(added, 'line')} added, ${removed} removed.`;
}

function wordsOf(kind: DiffLine['kind'], text: string): string {
  if (kind === 'file') return `In ${text}:`;
  if (kind === 'hunk') return `From line ${lineOfHunk(text)}:`;
  return kind === 'added' || kind === 'removed' ? `${kind}: ${text}` : text;
}
