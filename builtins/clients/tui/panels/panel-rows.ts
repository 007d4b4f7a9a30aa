// What plugins show beside a conversation, as rows.
import type { TerminalLine } from 'agent-harness/builtins/clients/cli';
import { oneLine } from 'agent-harness/lib/text';
import { cutRow } from '../screen/measure.ts';
import { rowOf, styles, type Row, type Style } from '../screen/spans.ts';

const looks: Readonly<Record<NonNullable<TerminalLine['look']>, Style>> = { strong: styles.bold, weak: styles.dim };

export function panelRows(lines: readonly TerminalLine[], columns: number): Row[] {
  return lines.map(({ text, look }) => {
    const indent = /^ */.exec(text)?.[0] ?? '';
    return cutRow(rowOf(indent + oneLine(text, 400), look === undefined ? styles.plain : looks[look]), columns);
  });
}
