// Computes the layout of a stacked bar chart, in pixels. Pure.

export interface Band {
  readonly x: number;
  readonly width: number;
  /** Segments from the axis upwards, in the order of the values. */
  readonly segments: readonly { readonly y: number; readonly height: number }[];
}

export interface ChartGeometry {
  readonly bands: readonly Band[];
  /** Positions and values of grid lines; the first is the axis. */
  readonly lines: readonly { readonly y: number; readonly value: number }[];
  /** Indexes of the bars that have a label. */
  readonly labelled: readonly number[];
  readonly left: number;
  readonly bottom: number;
}

export interface ChartSize {
  readonly width: number;
  readonly height: number;
}

const left = 48;
const right = 4;
const top = 8;
const bottom = 24;
const widestBar = 44;
/** Width of an axis label, in pixels. */
const labelWidth = 56;

/** @param stacks the values of each bar, from the axis upwards @param isLine whether each value is measured from the axis instead of stacked */
export function layOutBars(stacks: readonly (readonly number[])[], { width, height }: ChartSize, isLine = false): ChartGeometry {
  const plotWidth = Math.max(0, width - left - right);
  const plotHeight = Math.max(0, height - top - bottom);
  const ceiling = niceCeiling(Math.max(0, ...stacks.map(isLine ? (values) => Math.max(0, ...values) : sum)));
  const floor = top + plotHeight;
  const yOf = (value: number): number => floor - (value / ceiling) * plotHeight;
  const step = stacks.length === 0 ? 0 : plotWidth / stacks.length;
  const barWidth = Math.max(1, Math.min(widestBar, step * 0.72));

  const bands = stacks.map((values, index) => {
    let below = 0;
    const segments = values.map((given) => {
      // Negative values are not drawn.
      const value = Math.max(0, given);
      if (isLine) return { y: yOf(value), height: floor - yOf(value) };
      const y = yOf(below + value);
      const segment = { y, height: yOf(below) - y };
      below += value;
      return segment;
    });
    return { x: left + index * step + (step - barWidth) / 2, width: barWidth, segments };
  });
  const every = step === 0 ? 1 : Math.max(1, Math.ceil(labelWidth / step));
  return {
    bands,
    lines: [0, 0.5, 1].map((part) => ({ y: yOf(ceiling * part), value: ceiling * part })),
    // Counted from the newest bar, which always has a label.
    labelled: stacks.map((_, index) => index).filter((index) => (stacks.length - 1 - index) % every === 0),
    left,
    bottom: floor,
  };
}

/** Returns the next round number that is still round when halved. */
export function niceCeiling(highest: number): number {
  if (highest <= 0) return 100;
  const power = 10 ** Math.floor(Math.log10(highest));
  const factor = [1, 1.2, 1.6, 2, 2.4, 3, 4, 5, 6, 8, 10].find((one) => one * power >= highest) ?? 10;
  return factor * power;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + Math.max(0, value), 0);
}
