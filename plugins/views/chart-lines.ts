// Renders a chart of a view as text: as bars of characters, or as words and numbers.
import { clip } from '#lib/text';
import { nothing, type Line, type Room, type Run } from './line.ts';
import type { Block } from './view-schema.ts';
import { cellText, plain, valueText } from './view-texts.ts';

const barSigns = ['█', '▓', '▒', '░', '▚', '▞'];
const sparkSigns = '▁▂▃▄▅▆▇█';
export function chartLines({ form, labels, labelKind, series, unit }: Block<'chart'>, { columns, isDrawn, widthOf }: Room): Line[] {
  if (labels.length === 0) return [nothing];
  const said = (at: number): string =>
    series.map(({ title, values }) => `${series.length > 1 ? `${plain(title)} ` : ''}${valueText(values[at] ?? 0, unit)}`).join(', ');
  const names = labels.map((label) => clip(cellText(label, labelKind), 24));
  if (!isDrawn) return names.map((name, at): Line => [{ text: `${name}: `, look: 'weak' }, { text: said(at) }]);
  if (form === 'line') return sparkLines(series, names, unit, columns);
  const nameWidth = Math.max(...names.map(widthOf));
  const sums = labels.map((_, at) => series.reduce((sum, { values }) => sum + Math.max(0, values[at] ?? 0), 0));
  const ends = labels.map((_, at) =>
    valueText(
      series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
      unit,
    ),
  );
  const room = Math.max(8, Math.min(40, columns - nameWidth - Math.max(...ends.map(widthOf)) - 4));
  const most = Math.max(...sums);
  const legend: Line[] = series.length > 1 ? [series.map(({ title }, at): Run => ({ text: `${barSigns[at]} ${plain(title)}  `, look: 'weak' }))] : [];
  return [
    ...legend,
    ...labels.map((_, at): Line => {
      const bars = series.map(({ values }, index) => (barSigns[index] ?? '█').repeat(most <= 0 ? 0 : Math.round((Math.max(0, values[at] ?? 0) / most) * room)));
      const bar = bars.join('');
      return [
        { text: `${names[at]}${' '.repeat(nameWidth - widthOf(names[at] ?? ''))}  `, look: 'weak' },
        { text: bar, look: 'accent' },
        { text: `${bar === '' ? '' : ' '}${ends[at]}` },
      ];
    }),
  ];
}

/** Renders each series as one line of characters, with minimum and maximum. */
function sparkLines(series: Block<'chart'>['series'], names: readonly string[], unit: string | undefined, columns: number): Line[] {
  const range = names.length > 1 ? `${names[0]} – ${names.at(-1)}` : (names[0] ?? '');
  return [
    ...series.flatMap(({ title, values }): Line[] => {
      const shown = thinned(values, Math.max(10, columns - 2));
      const [least, greatest] = [Math.min(...shown), Math.max(...shown)];
      const signs = shown.map((value) => sparkSigns[greatest === least ? 0 : Math.round(((value - least) / (greatest - least)) * 7)] ?? '▁').join('');
      return [
        [
          { text: `${plain(title)}: ` },
          { text: `${valueText(least, unit)} to ${valueText(greatest, unit)}, last ${valueText(values.at(-1) ?? 0, unit)}`, look: 'weak' },
        ],
        [{ text: signs, look: 'accent' }],
      ];
    }),
    [{ text: range, look: 'weak' }],
  ];
}

function thinned(values: readonly number[], most: number): readonly number[] {
  if (values.length === 0) return [0];
  if (values.length <= most) return values;
  return Array.from({ length: most }, (_, at) => values[Math.floor((at * values.length) / most)] ?? 0);
}
