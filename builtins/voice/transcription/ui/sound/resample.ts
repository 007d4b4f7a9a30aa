// Converts audio from the sound card's sample rate to 16 kHz. Keeps the remainder for the next chunk.

export interface Resampler {
  /** Returns the complete samples at the target rate. */
  push(samples: Float32Array): Float32Array;
}

/** Number of zero crossings of the kernel on each side, and of table points between two of them. */
const lobes = 10;
const steps = 256;
/** Cutoff relative to the lower sample rate; higher frequencies are removed, because they would alias. */
const passed = 0.94;

const kernel = makeKernel();

export function createResampler(from: number, to: number): Resampler {
  if (from === to) return { push: (samples) => samples };
  const step = from / to;
  /** Number of input samples per zero crossing of the kernel. */
  const width = Math.max(1, step) / passed;
  const reach = Math.ceil(lobes * width);
  let held = new Float32Array(reach);
  /** Position of the next output sample in `held`. */
  let at = reach;

  function valueAt(place: number): number {
    const last = Math.min(held.length - 1, Math.floor(place + reach));
    let sum = 0;
    let weights = 0;
    for (let index = Math.max(0, Math.ceil(place - reach)); index <= last; index++) {
      const weight = kernelAt(Math.abs(index - place) / width);
      sum += weight * (held[index] as number);
      weights += weight;
    }
    return weights === 0 ? 0 : sum / weights;
  }

  return {
    push(samples) {
      const joined = new Float32Array(held.length + samples.length);
      joined.set(held);
      joined.set(samples, held.length);
      held = joined;
      const count = Math.max(0, Math.ceil((held.length - reach - at) / step));
      const made = new Float32Array(count);
      for (let index = 0; index < count; index++) made[index] = valueAt(at + index * step);
      at += count * step;
      const spent = Math.max(0, Math.floor(at) - reach);
      held = held.slice(spent);
      at -= spent;
      return made;
    },
  };
}

/** Creates a table of a sinc function with a Blackman window. */
function makeKernel(): Float32Array {
  const table = new Float32Array(lobes * steps + 2);
  for (let index = 0; index <= lobes * steps; index++) {
    const x = index / steps;
    const window = 0.42 + 0.5 * Math.cos((Math.PI * x) / lobes) + 0.08 * Math.cos((2 * Math.PI * x) / lobes);
    table[index] = x === 0 ? 1 : (window * Math.sin(Math.PI * x)) / (Math.PI * x);
  }
  return table;
}

function kernelAt(x: number): number {
  const place = x * steps;
  const index = Math.floor(place);
  if (index >= lobes * steps) return 0;
  const before = kernel[index] as number;
  return before + (place - index) * ((kernel[index + 1] as number) - before);
}
