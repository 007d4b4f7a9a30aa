// Collects a recording up to the size limit of the server.
import { rate } from './frames.ts';
import { bytesOfSample, headerBytes, toPcm, wavOf } from './wav.ts';

export interface Clip {
  /** Adds samples. Returns whether there is room for more. */
  push(samples: Float32Array): boolean;
  readonly durationMs: number;
  wav(): Uint8Array<ArrayBuffer>;
}

/** Size limit in bytes that is used if the server's limit is unknown. */
export const usualLimitBytes = 25 * 1024 * 1024;

/** @param limitBytes returns the size limit; called for each piece, because it may become known during the recording */
export function createClip(limitBytes: () => number = () => usualLimitBytes): Clip {
  const parts: Int16Array[] = [];
  let count = 0;
  return {
    push(samples) {
      const most = Math.floor((limitBytes() - headerBytes) / bytesOfSample);
      const part = toPcm(samples).subarray(0, Math.max(0, most - count));
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
