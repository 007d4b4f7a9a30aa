// What was recorded, as long as the server takes it.
import { rate } from './frames.ts';
import { bytesOfSample, headerBytes, toPcm, wavOf } from './wav.ts';

export interface Clip {
  /** Answers whether there is room for more. */
  push(samples: Float32Array): boolean;
  readonly durationMs: number;
  wav(): Uint8Array<ArrayBuffer>;
}

/** What a server takes of which nothing else is known. */
export const usualLimitBytes = 25 * 1024 * 1024;

export function createClip(limitBytes = usualLimitBytes): Clip {
  const parts: Int16Array[] = [];
  const most = Math.floor((limitBytes - headerBytes) / bytesOfSample);
  let count = 0;
  return {
    push(samples) {
      const part = toPcm(samples).subarray(0, most - count);
      if (part.length > 0) parts.push(part);
      count += part.length;
      return count < most;
    },
    get durationMs() {
      return (count / rate) * 1000;
    },
    wav: () => wavOf(parts, rate),
  };
}
