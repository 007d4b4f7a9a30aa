// Detects whether the user is speaking while the page speaks, or whether the microphone only picks up the page's own sound. Pure.
import { frameMs, silenceDb, type Frame } from './frames.ts';
import { createSpeechFrames } from './speech-frames.ts';

/**
 * `duck`: lower the volume, because it may be the user. `stop`: it is the user; stop speaking. `sure`: the user said enough for this to be intended. `restore`:
 * it was not speech; restore the volume. `resume`: it was a cough; continue the interrupted speech.
 */
export type BargeInAct = 'duck' | 'stop' | 'sure' | 'restore' | 'resume' | undefined;

export interface BargeIn {
  /**
   * Contract: frames are passed in order.
   * @param playedDb output level of the page in this frame
   */
  push(frame: Frame, playedDb: number): BargeInAct;
  /** Receives recognised words, which confirm that the user is speaking. */
  hear(words: string): void;
  /** Resets the detection; keeps the measured echo. */
  reset(): void;
}

const duckMs = 60;
const stopMs = 150;
/** Maximum duration in milliseconds of a noise without words, such as a cough or a closing door. */
const shortMs = 400;
/** Duration of silence in milliseconds after which an utterance is over. */
const overMs = 300;
/** Maximum duration in milliseconds of a gap within a voice, such as the stop before a `t`. */
const gapMs = 80;

/** Number of frames after playback in which an echo may arrive. */
const echoFrames = 300 / frameMs;
/** Margins in dB for the echo: if its delay and level are known, and if only the recent maximum is known. */
const knownMarginDb = 3.5;
const unknownMarginDb = 2;
/** Echo level relative to the output, in dB, that is assumed until the room has been measured. */
const firstCouplingDb = 0;
const learnFrames = 400 / frameMs;
const rememberFrames = 2_000 / frameMs;
/** Minimum output level in dB at which a frame is used to measure the room. */
const audibleDb = -55;
const leastCorrelation = 0.8;
const lagSpread = 2;
const relearnFrames = 200 / frameMs;

export function createBargeIn(): BargeIn {
  const speech = createSpeechFrames();
  const room = createRoom();
  let sinceMs = 0;
  let quietMs = 0;
  let state: 'listening' | 'ducked' | 'stopped' | 'sure' = 'listening';
  let hasWords = false;

  function clear(): void {
    sinceMs = 0;
    quietMs = 0;
    state = 'listening';
    hasWords = false;
  }

  function takeSpeech(): BargeInAct {
    sinceMs += frameMs + quietMs;
    quietMs = 0;
    if (state === 'listening' && sinceMs >= duckMs) {
      state = 'ducked';
      return 'duck';
    }
    if (state === 'ducked' && sinceMs >= stopMs) {
      state = 'stopped';
      return 'stop';
    }
    return state === 'stopped' && (hasWords || sinceMs >= shortMs) ? beSure() : undefined;
  }

  function beSure(): BargeInAct {
    state = 'sure';
    return 'sure';
  }

  function takeSilence(): BargeInAct {
    if (sinceMs === 0) return undefined;
    quietMs += frameMs;
    if (state === 'stopped') {
      if (hasWords) return beSure();
      if (quietMs < overMs) return undefined;
      clear();
      return 'resume';
    }
    if (quietMs <= gapMs || state === 'sure') return undefined;
    const wasDucked = state === 'ducked';
    clear();
    return wasDucked ? 'restore' : undefined;
  }

  return {
    push(frame, playedDb) {
      const aboveDb = state === 'stopped' || state === 'sure' ? silenceDb : room.expected(playedDb);
      const isSpeech = speech.push(frame, aboveDb);
      room.take(frame.db, playedDb, sinceMs > 0 || isSpeech);
      return isSpeech ? takeSpeech() : takeSilence();
    },
    hear(words) {
      if (words.trim() !== '') hasWords = true;
    },
    reset: clear,
  };
}

interface Room {
  /** Returns the maximum level, in dB and with a margin, at which the microphone may pick up the page now. */
  expected(playedDb: number): number;
  take(heardDb: number, playedDb: number, isSomebody: boolean): void;
}

/** Creates a model of the room that learns the delay and the level of the echo. */
function createRoom(): Room {
  /** Output and input levels, newest last; there is no input level for frames in which the user spoke. */
  const played: number[] = [];
  const heard: (number | undefined)[] = [];
  let learned = 0;
  let couplingDb = firstCouplingDb;
  let echo: { readonly lag: number; readonly db: number } | undefined;
  let sinceLearned = 0;

  const loudest = (from: number, to: number): number => Math.max(silenceDb, ...played.slice(Math.max(0, from), to));

  function learn(): void {
    sinceLearned = 0;
    if (learned < learnFrames) return;
    const ratios: number[] = [];
    for (let index = echoFrames; index < played.length; index++) {
      const most = loudest(index - echoFrames, index + 1);
      const found = heard[index];
      if (found !== undefined && most > audibleDb) ratios.push(found - most);
    }
    if (ratios.length < learnFrames) return;
    couplingDb = Math.max(...ratios);
    echo = findEcho(played, heard);
  }

  return {
    expected(playedDb) {
      const at = played.length;
      const most = Math.max(playedDb, loudest(at - echoFrames, at));
      if (most <= audibleDb) return silenceDb;
      const byLoudest = most + couplingDb + unknownMarginDb;
      if (!echo) return byLoudest;
      const from = at - echo.lag - lagSpread;
      const near = Math.max(echo.lag <= lagSpread ? playedDb : silenceDb, loudest(from, at - echo.lag + lagSpread + 1));
      return Math.min(byLoudest, near + echo.db + knownMarginDb);
    },
    take(heardDb, playedDb, isSomebody) {
      played.push(playedDb);
      heard.push(isSomebody ? undefined : heardDb);
      if (played.length > rememberFrames) {
        played.shift();
        heard.shift();
      }
      if (playedDb > audibleDb) learned++;
      if (++sinceLearned >= relearnFrames) learn();
    },
  };
}

const amplitude = (db: number): number => (db <= silenceDb ? 0 : 10 ** (db / 20));

/** Returns the delay at which the input follows the output best; `undefined` if the input does not follow the output. */
function findEcho(played: readonly number[], heard: readonly (number | undefined)[]): { readonly lag: number; readonly db: number } | undefined {
  const out = played.map(amplitude);
  let best: { lag: number; correlation: number; gains: number[] } | undefined;
  for (let lag = 0; lag <= echoFrames; lag++) {
    const pairs: [number, number][] = [];
    for (let index = echoFrames; index < out.length; index++) {
      const found = heard[index];
      if (found !== undefined) pairs.push([out[index - lag] as number, amplitude(found)]);
    }
    const correlation = correlationOf(pairs);
    if (correlation < leastCorrelation || correlation <= (best?.correlation ?? 0)) continue;
    const gains = pairs.flatMap(([from, to]) => (from > amplitude(audibleDb) ? [to / from] : []));
    best = { lag, correlation, gains };
  }
  if (!best || best.gains.length < learnFrames) return undefined;
  const sorted = best.gains.toSorted((a, b) => a - b);
  // Uses frames near the middle of a sound: at its edges, a recorded frame may contain more of the sound than the frame that was played.
  const gain = sorted[Math.floor(sorted.length * 0.6)] as number;
  return { lag: best.lag, db: 20 * Math.log10(Math.max(gain, 1e-5)) };
}

function correlationOf(pairs: readonly (readonly [number, number])[]): number {
  if (pairs.length < learnFrames) return 0;
  let sumA = 0;
  let sumB = 0;
  for (const [a, b] of pairs) {
    sumA += a;
    sumB += b;
  }
  const meanA = sumA / pairs.length;
  const meanB = sumB / pairs.length;
  let both = 0;
  let ownA = 0;
  let ownB = 0;
  for (const [a, b] of pairs) {
    both += (a - meanA) * (b - meanB);
    ownA += (a - meanA) ** 2;
    ownB += (b - meanB) ** 2;
  }
  return ownA === 0 || ownB === 0 ? 0 : both / Math.sqrt(ownA * ownB);
}
