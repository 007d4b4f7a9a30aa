// Tokens over time as stacked bars. One stop for the Tab key; arrow keys go from bar to bar.
import { useRef, useState, type KeyboardEvent } from 'react';
import { formatCost, formatCount, formatShort } from '../../kit/page/format.ts';
import { layOutBars } from './chart-geometry.ts';
import { partsOf, tokensOf, type Bar } from './usage-model.ts';
import { useWidth } from './use-width.ts';

const height = 220;
/** Half of the room that a label on the axis needs. */
const labelHalf = 24;
const series = [
  { id: 'cached', title: 'Input, cached' },
  { id: 'fresh', title: 'Input' },
  { id: 'output', title: 'Output' },
] as const;

export function UsageChart({ bars, label }: { readonly bars: readonly Bar[]; readonly label: string }) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [active, setActive] = useState<number>();
  const marks = useRef<(SVGGElement | null)[]>([]);
  const stacks = bars.map(({ sums }) => series.map(({ id }) => partsOf(sums)[id]));
  const { bands, lines, labelled, left, bottom } = layOutBars(stacks, { width, height });
  const chosen = active === undefined ? undefined : bars[active];
  const tabStop = Math.min(active ?? bars.length - 1, bars.length - 1);

  function move(event: KeyboardEvent): void {
    const target = targetOf(event.key, tabStop, bars.length);
    if (target === undefined) return;
    event.preventDefault();
    marks.current[target]?.focus();
  }

  return (
    <figure className="usage-chart">
      <ul className="usage-chart-legend small">
        {series.map(({ id, title }) => (
          <li key={id}>
            <span className="usage-chart-swatch" data-series={id} aria-hidden="true" /> {title}
          </li>
        ))}
      </ul>
      <div ref={frame} className="usage-chart-frame" onPointerLeave={() => setActive(undefined)}>
        {width > 0 && (
          <svg width={width} height={height} role="group" aria-label={label} onKeyDown={move}>
            {lines.map(({ y, value }) => (
              <g key={value} aria-hidden="true">
                <line className="usage-chart-line" x1={left} x2={width} y1={y} y2={y} />
                <text className="usage-chart-text" x={left - 8} y={y + 4} textAnchor="end">
                  {formatShort(value)}
                </text>
              </g>
            ))}
            {bands.map(({ x, width: barWidth, segments }, index) => {
              const bar = bars[index] as Bar;
              return (
                <g
                  key={bar.id}
                  ref={(mark) => void (marks.current[index] = mark)}
                  role="img"
                  aria-label={wordsOf(bar)}
                  tabIndex={index === tabStop ? 0 : -1}
                  className="usage-chart-bar"
                  data-active={index === active}
                  onFocus={() => setActive(index)}
                  onPointerEnter={() => setActive(index)}
                >
                  <rect className="usage-chart-hit" x={x - 2} y={0} width={barWidth + 4} height={bottom} rx={4} />
                  {segments.map((segment, at) => (
                    <rect key={series[at]?.id} data-series={series[at]?.id} x={x} y={segment.y} width={barWidth} height={segment.height} />
                  ))}
                </g>
              );
            })}
            {labelled.map((index) => {
              const band = bands[index];
              if (!band) return null;
              const middle = band.x + band.width / 2;
              const isCut = middle + labelHalf > width;
              return (
                <text
                  key={index}
                  aria-hidden="true"
                  className="usage-chart-text"
                  x={isCut ? width : middle}
                  y={height - 6}
                  textAnchor={isCut ? 'end' : 'middle'}
                >
                  {bars[index]?.shortLabel}
                </text>
              );
            })}
          </svg>
        )}
      </div>
      <figcaption className="usage-chart-details small" aria-hidden={chosen !== undefined}>
        {chosen ? wordsOf(chosen) : 'Point at a bar, or go through them with the arrow keys. Days and hours are UTC.'}
      </figcaption>
    </figure>
  );
}

function targetOf(key: string, from: number, count: number): number | undefined {
  if (key === 'ArrowRight') return Math.min(count - 1, from + 1);
  if (key === 'ArrowLeft') return Math.max(0, from - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? count - 1 : undefined;
}

function wordsOf({ label, sums }: Bar): string {
  if (sums.calls === 0) return `${label}: no calls`;
  const cost = sums.cost > 0 ? `, ${formatCost(sums.cost)}` : '';
  const cached = sums.cached > 0 ? ` (${formatCount(sums.cached)} cached)` : '';
  return `${label}: ${formatCount(tokensOf(sums))} tokens, ${formatCount(sums.input)} in${cached}, ${formatCount(sums.output)} out${cost}`;
}
