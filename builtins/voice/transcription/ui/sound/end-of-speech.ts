// Detects the end of speech: a pause that is longer than the pauses within an utterance. Pure.
import { frameMs, type Frame } from './frames.ts';
import { createSpeechFrames } from './speech-frames.ts';

export interface EndOfSpeechOptions {
  /** Milliseconds of silence that end speech; default: 700. With `Infinity`, speech never ends automatically. */
  readonly pauseMs?: number;
}

export type SpeechState = 'waiting' | 'speaking' | 'ended';

export interface EndOfSpeech {
  /** Contract: frames are passed in order. */
  push(frame: Frame): SpeechState;
  /** Receives the text recognised so far, if there is a preview; after a complete sentence, a shorter pause is enough. */
  hear(interim: string): void;
  /** Sets whether a key is held; while it is held, speech does not end. */
  hold(isHeld: boolean): void;
  /** Ignores the current pause. */
  wait(): void;
  /** Milliseconds from the first to the last frame of speech; 0 if there was none. */
  readonly spokenMs: number;
}

export const usualPauseMs = 700;
export const shortPauseMs = 350;
/** Minimum duration in milliseconds of a clip with a complete sentence. */
const leastClipMs = 1_000;
/** Minimum duration of speech in milliseconds. Anything shorter is a click or a knock, and does not end a pause. */
const leastSpeechMs = 80;
const leastReturnMs = 20;
const finalPunctuation = /[.!?。！？…]["'”’)\]]*\s*$/u;

export function createEndOfSpeech({ pauseMs = usualPauseMs }: EndOfSpeechOptions = {}): EndOfSpeech {
  const speech = createSpeechFrames();
  let state: SpeechState = 'waiting';
  let interim = '';
  let isHeld = false;
  let now = 0;
  let firstAt = 0;
  let lastAt = 0;
  /** Number of consecutive speech frames. */
  let run = 0;
  /** Speech frames at a beginning that may still turn out to be a click. */
  let begun = 0;

  function wanted(): number {
    if (!Number.isFinite(pauseMs)) return pauseMs;
    const isComplete = finalPunctuation.test(interim) && now >= leastClipMs;
    return isComplete ? Math.min(shortPauseMs, pauseMs) : pauseMs;
  }

  function takeSpeech(): void {
    run += frameMs;
    if (state === 'waiting') {
      if (begun === 0) firstAt = now - frameMs;
      begun += frameMs;
      lastAt = now;
      if (begun >= leastSpeechMs) state = 'speaking';
    } else if (run >= leastReturnMs) lastAt = now;
  }

  function takeSilence(): void {
    run = 0;
    if (state === 'waiting' && now - lastAt > leastSpeechMs) begun = 0;
    if (state === 'speaking' && !isHeld && now - lastAt >= wanted()) state = 'ended';
  }

  return {
    push(frame) {
      now += frameMs;
      if (state === 'ended') return state;
      if (speech.push(frame)) takeSpeech();
      else takeSilence();
      return state;
    },
    hear: (text) => void (interim = text),
    hold: (held) => void (isHeld = held),
    wait() {
      lastAt = now;
      interim = '';
      if (state === 'ended') state = 'speaking';
    },
    get spokenMs() {
      return state === 'waiting' ? 0 : lastAt - firstAt;
    },
  };
}
