// Splits audio into frames of 10 ms, each with its level and zero crossings. Pure.

export const rate = 16_000;
export const frameMs = 10;
export const frameSamples = (rate * frameMs) / 1000;
/** The value of silence, in dB below full scale. */
export const silenceDb = -100;

export interface Frame {
  /** Mean power in dB; full scale is 0. */
  readonly db: number;
  /** Share of samples whose sign differs from the previous sample: hissing has many, a hum few. */
  readonly crossings: number;
}

export function dbOf(power: number): number {
  return power <= 1e-10 ? silenceDb : 10 * Math.log10(power);
}

export function powerOf(samples: Float32Array): number {
  let sum = 0;
  for (const sample of samples) sum += sample * sample;
  return samples.length === 0 ? 0 : sum / samples.length;
}

export function frameIn(samples: Float32Array): Frame {
  let crossings = 0;
  for (let index = 1; index < samples.length; index++) if ((samples[index] as number) >= 0 !== (samples[index - 1] as number) >= 0) crossings++;
  return { db: dbOf(powerOf(samples)), crossings: samples.length === 0 ? 0 : crossings / samples.length };
}

/** Creates a function that splits chunks of samples into complete frames; the remainder waits for the next chunk. */
export function createFramer(): (samples: Float32Array) => Frame[] {
  let left = new Float32Array();
  return (samples) => {
    const joined = new Float32Array(left.length + samples.length);
    joined.set(left);
    joined.set(samples, left.length);
    const frames: Frame[] = [];
    let at = 0;
    for (; at + frameSamples <= joined.length; at += frameSamples) frames.push(frameIn(joined.subarray(at, at + frameSamples)));
    left = joined.slice(at);
    return frames;
  };
}
