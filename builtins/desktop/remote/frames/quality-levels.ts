// Selects the image quality for the slowest guest that still acknowledges frames, with hysteresis to avoid oscillation.

export interface QualityLevel {
  /** JPEG quality, 0 to 100. */
  readonly quality: number;
  /** Scale relative to the size of the page. */
  readonly scale: number;
}

export const qualityLevels: readonly [QualityLevel, ...QualityLevel[]] = [
  { quality: 80, scale: 1 },
  { quality: 65, scale: 1 },
  { quality: 50, scale: 1 },
  { quality: 40, scale: 0.75 },
  { quality: 30, scale: 0.5 },
];

/** Acknowledgement times in milliseconds: above this one, frames are too large; below the other limit, larger frames are possible. */
const tooSlowMs = 300;
const roomyMs = 120;
/** Required number of consecutive frames, because a single frame may be an outlier. */
const strikes = 3;
const firstProbeMs = 10_000;
const longestProbeMs = 60_000;

export interface QualityControl {
  readonly rung: QualityLevel;
  /** Records how long the slowest guest's last frame took. Returns whether the quality level changed. */
  observe(ms: number, now: number): boolean;
}

export function createQualityControl(): QualityControl {
  let at = 0;
  let slow = 0;
  let probeMs = firstProbeMs;
  /** Time of the last increase, and earliest time of the next one. */
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
        // Each failed increase delays the next attempt longer; a successful one resets the delay.
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
