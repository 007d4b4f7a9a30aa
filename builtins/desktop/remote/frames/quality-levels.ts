// How good the picture is: as good as the slowest guest that still acknowledges can take it, without swinging.

export interface QualityLevel {
  /** Of the JPEG, 0 to 100. */
  readonly quality: number;
  /** Of the size of the page. */
  readonly scale: number;
}

export const qualityLevels: readonly [QualityLevel, ...QualityLevel[]] = [
  { quality: 80, scale: 1 },
  { quality: 65, scale: 1 },
  { quality: 50, scale: 1 },
  { quality: 40, scale: 0.75 },
  { quality: 30, scale: 0.5 },
];

/** A frame that takes longer than this to its acknowledgement is too large; below the other there may be room. Milliseconds. */
const tooSlowMs = 300;
const roomyMs = 120;
/** So many frames in a row, as one alone may have met a hiccup. */
const strikes = 3;
const firstProbeMs = 10_000;
const longestProbeMs = 60_000;

export interface QualityControl {
  readonly rung: QualityLevel;
  /** How long the slowest guest took for its last frame. Answers whether the rung has changed. */
  observe(ms: number, now: number): boolean;
}

export function createQualityControl(): QualityControl {
  let at = 0;
  let slow = 0;
  let probeMs = firstProbeMs;
  /** When it was last climbed, and when it is allowed to again. */
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
        // A climb that did not hold is tried again later each time; one that did hold says that the way is another one now.
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
