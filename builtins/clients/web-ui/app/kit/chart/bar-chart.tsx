// Renders a time chart of stacked bars or lines. The chart is one tab stop; arrow keys move between bars, and the values of each bar are announced.
import { useRef, useState, type KeyboardEvent, useLayoutEffect, type RefObject } from 'react';
import { formatShort } from '../page/format.ts';
import { layOutBars } from './chart-geometry.ts';
import './chart.css';

const height = 220;
/** Half of the width of an axis label, in pixels. */
const labelHalf = 24;

export interface BarChartProps {
  /** Title of the chart. */
  readonly label: string;
  readonly isLine?: boolean;
  /** Series from the axis upwards; the style sheet has colours for the first six. */
  readonly series: readonly string[];
  readonly bars: readonly { readonly id: string; readonly shortLabel: string; readonly values: readonly number[]; readonly words: string }[];
  /** Hint below the chart while no bar is selected. */
  readonly hint: string;
}

export function BarChart({ label, isLine = false, series, bars, hint }: BarChartProps) {
  const [frame, width] = useWidth<HTMLDivElement>();
  const [active, setActive] = useState<number>();
  const marks = useRef<(SVGGElement | null)[]>([]);
  const { bands, lines, labelled, left, bottom } = layOutBars(
    bars.map(({ values }) => values),
    { width, height },
    isLine,
  );
  const chosen = active === undefined ? undefined : bars[active];
  const tabStop = Math.min(active ?? bars.length - 1, bars.length - 1);

  function move(event: KeyboardEvent): void {
    const target = targetOf(event.key, tabStop, bars.length);
    if (target === undefined) return;
    event.preventDefault();
    marks.current[target]?.focus();
  }

  return (
    <figure className="chart">
      {series.length > 1 && (
        <ul className="chart-legend small">
          {series.map((title, at) => (
            <li key={title}>
              <span className="chart-swatch" data-series={at} aria-hidden="true" /> {title}
            </li>
          ))}
        </ul>
      )}
      <div ref={frame} className="chart-frame" onPointerLeave={() => setActive(undefined)}>
        {width > 0 && (
          <svg width={width} height={height} role="group" aria-label={label} onKeyDown={move}>
            {lines.map(({ y, value }) => (
              <g key={value} aria-hidden="true">
                <line className="chart-line" x1={left} x2={width} y1={y} y2={y} />
                <text className="chart-text" x={left - 8} y={y + 4} textAnchor="end">
                  {formatShort(value)}
                </text>
              </g>
            ))}
            {bands.map(({ x, width: barWidth, segments }, index) => {
              const bar = bars[index] as (typeof bars)[number];
              return (
                <g
                  key={bar.id}
                  ref={(mark) => void (marks.current[index] = mark)}
                  role="img"
                  aria-label={bar.words}
                  tabIndex={index === tabStop ? 0 : -1}
                  className="chart-bar"
                  data-active={index === active}
                  onFocus={() => setActive(index)}
                  onPointerEnter={() => setActive(index)}
                >
                  <rect className="chart-hit" x={x - 2} y={0} width={barWidth + 4} height={bottom} rx={4} />
                  {segments.map((segment, at) =>
                    isLine ? (
                      <circle key={at} data-series={at} cx={x + barWidth / 2} cy={segment.y} r={bars.length > 60 ? 0 : 3} />
                    ) : (
                      <rect key={at} data-series={at} x={x} y={segment.y} width={barWidth} height={segment.height} />
                    ),
                  )}
                </g>
              );
            })}
            {isLine &&
              series.map((title, at) => (
                <polyline
                  key={title}
                  aria-hidden="true"
                  className="chart-path"
                  data-series={at}
                  points={bands.map(({ x, width: barWidth, segments }) => `${x + barWidth / 2},${segments[at]?.y ?? bottom}`).join(' ')}
                />
              ))}
            {labelled.map((index) => {
              const band = bands[index];
              if (!band) return null;
              const middle = band.x + band.width / 2;
              const isCut = middle + labelHalf > width;
              return (
                <text key={index} aria-hidden="true" className="chart-text" x={isCut ? width : middle} y={height - 6} textAnchor={isCut ? 'end' : 'middle'}>
                  {bars[index]?.shortLabel}
                </text>
              );
            })}
          </svg>
        )}
      </div>
      <figcaption className="chart-details small" aria-hidden={chosen !== undefined}>
        {chosen ? chosen.words : hint}
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

/** Tracks the width of an element. */
function useWidth<E extends HTMLElement>(): readonly [RefObject<E | null>, number] {
  const element = useRef<E>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (!element.current) return;
    const watcher = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    watcher.observe(element.current);
    return () => watcher.disconnect();
  }, []);
  return [element, width];
}
