// Chooses the picture quality: what the slowest guest that still acknowledges can take, without oscillating.

export interface QualityLevel {
  /** Of the JPEG, 0 to 100. */
  readonly quality: number;
  /** Relative to the size of the page. */
  readonly scale: number;
}

export const qualityLevels: readonly [QualityLevel, ...QualityLevel[]] = [
  { quality: 80, scale: 1 },
  { quality: 65, scale: 1 },
  { quality: 50, scale: 1 },
  { quality: 40, scale: 0.75 },
  { quality: 30, scale: 0.5 },
];

/** A frame acknowledged later than this is too large; below the other limit there may be room. In milliseconds. */
const tooSlowMs = 300;
const roomyMs = 120;
/** Number of consecutive frames, as a single one may be an outlier. */
const strikes = 3;
const firstProbeMs = 10_000;
const longestProbeMs = 60_000;

export interface QualityControl {
  readonly rung: QualityLevel;
  /** Records how long the slowest guest took for its last frame. Returns whether the rung has changed. */
  observe(ms: number, now: number): boolean;
}

export function createQualityControl(): QualityControl {
  let at = 0;
  let slow = 0;
  let probeMs = firstProbeMs;
  /** When the quality was last raised, and when it may be raised again. */
  let climbedAt = -Infinity;
  let notBefore = -Infinity;

  function step(by: 1 | -1, now: number): true {
    at += by;
    slow = 0;
    notBefore = now + probeMs;
    return true;
  }

  return {
    get rung() {
      return qualityLevels[at] ?? qualityLevels[0];
    },
    observe(ms, now) {
      slow = ms > tooSlowMs ? slow + 1 : 0;
      if (slow >= strikes && at < qualityLevels.length - 1) {
        // After a failed increase the next attempt comes later each time; a successful one means that conditions have changed.
        const hasFailed = now - climbedAt < longestProbeMs;
        probeMs = hasFailed ? Math.min(longestProbeMs, probeMs * 2) : firstProbeMs;
        return step(1, now);
      }
      if (ms < roomyMs && at > 0 && now >= notBefore) {
        climbedAt = now;
        return step(-1, now);
      }
      return false;
    },
  };
}
