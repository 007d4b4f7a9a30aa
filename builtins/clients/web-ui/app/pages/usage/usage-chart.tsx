// Tokens over time, as the chart of the kit draws them.
import { BarChart } from '../../kit/chart/bar-chart.tsx';
import { formatCost, formatCount } from '../../kit/page/format.ts';
import { partsOf, tokensOf, type Bar } from './usage-model.ts';
import { rowOf } from '../../kit/words.ts';
import { t, table } from '../../kit/t.ts';

const series = table([
  { id: 'cached', title: 'Input, cached' },
  { id: 'fresh', title: 'Input' },
  { id: 'output', title: 'Output' },
] as const);

export function UsageChart({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  return (
    <BarChart
      label={label}
      series={series.map(({ title }) => title)}
      bars={bars.map((bar) => ({
        id: bar.id,
        shortLabel: bar.shortLabel,
        values: series.map(({ id }) => partsOf(bar.sums)[id]),
        words: wordsOf(bar),
      }))}
      hint={t('Point at a bar, or go through them with the arrow keys. Days and hours are UTC.')}
    />
  );
}

function wordsOf({ label, sums }: Bar): string {
  if (sums.calls === 0) return t('{label}: no calls', { label });
  const [input, cached] = [formatCount(sums.input), formatCount(sums.cached)];
  return t('{label}: {figures}', {
    label,
    figures: rowOf([
      t('{tokens} tokens', { tokens: formatCount(tokensOf(sums)) }),
      sums.cached > 0 ? t('{input} in ({cached} cached)', { input, cached }) : t('{input} in', { input }),
      t('{output} out', { output: formatCount(sums.output) }),
      ...(sums.cost > 0 ? [formatCost(sums.cost)] : []),
    ]),
  });
}
