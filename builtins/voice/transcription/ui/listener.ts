// Splits the microphone input into utterances, each from shortly before its first sound to the pause after its last sound. Pure.
import { createBargeIn, type BargeInAct } from './sound/barge-in.ts';
import { createClip, type Clip } from './sound/clip.ts';
import { createEndOfSpeech, type EndOfSpeech, type SpeechState } from './sound/end-of-speech.ts';
import { createFramer, rate, type Frame } from './sound/frames.ts';

export interface Heard {
  readonly wav: Uint8Array<ArrayBuffer>;
  /** Whether the page was speaking at that time. */
  readonly wasOverSpeech: boolean;
}

export interface ListenerOptions {
  readonly pauseMs: number;
  readonly onHeard: (heard: Heard) => void;
}

export interface Taken {
  readonly frames: readonly Frame[];
  readonly acts: readonly NonNullable<BargeInAct>[];
  readonly phase: SpeechState;
}

export interface Listener {
  /** Processes audio. @param playedDb the page's current output level in dB; omitted while it is silent */
  push(samples: Float32Array, playedDb?: number): Taken;
  /** Receives the text recognised so far. */
  hear(interim: string): void;
  wait(): void;
  /** Completes the current utterance. */
  finish(): void;
}

/** Number of samples kept from before the detected start, because words begin softly. */
const leadSamples = rate / 2;

export function createListener({ pauseMs, onHeard }: ListenerOptions): Listener {
  const framer = createFramer();
  const barge = createBargeIn();
  let end: EndOfSpeech = createEndOfSpeech({ pauseMs });
  let phase: SpeechState = 'waiting';
  let clip: Clip | undefined;
  let lead: Float32Array[] = [];
  let wasOverSpeech = false;
  /** Whether the page was silenced and it is not known yet whether the user intended that. */
  let isInterrupting = false;
  let wasSpeaking = false;

  function keepLead(samples: Float32Array): void {
    lead.push(samples);
    let count = lead.reduce((sum, { length }) => sum + length, 0);
    while (count - (lead[0]?.length ?? 0) >= leadSamples) count -= lead.shift()?.length ?? 0;
  }

  function restart(): void {
    end = createEndOfSpeech({ pauseMs });
    phase = 'waiting';
    clip = undefined;
    wasOverSpeech = false;
    isInterrupting = false;
  }

  /** Begins an utterance with the samples before it. */
  function begin(samples: Float32Array): void {
    if (clip) return void clip.push(samples);
    clip = createClip();
    for (const part of lead) clip.push(part);
    lead = [];
  }

  function finish(): void {
    const heard = clip;
    const isOver = wasOverSpeech;
    restart();
    if (heard) onHeard({ wav: heard.wav(), wasOverSpeech: isOver });
  }

  function interrupts(frames: readonly Frame[], playedDb: number): NonNullable<BargeInAct>[] {
    if (!wasSpeaking) barge.reset();
    return frames.flatMap((frame) => barge.push(frame, playedDb) ?? []);
  }

  function follow(frames: readonly Frame[]): void {
    for (const frame of frames) {
      phase = end.push(frame);
      if (phase === 'ended') return finish();
    }
  }

  return {
    push(samples, playedDb) {
      const frames = framer(samples);
      if (!clip) keepLead(samples);
      const isListeningOver = playedDb !== undefined || isInterrupting;
      const acts = isListeningOver ? interrupts(frames, playedDb ?? -100) : [];
      wasSpeaking = isListeningOver;
      if (acts.includes('stop')) {
        restart();
        isInterrupting = true;
        begin(samples);
        wasOverSpeech = true;
      } else if (clip?.push(samples) === false) finish();
      // This is probably a cough, but may be a short word.
      if (acts.includes('resume')) finish();
      if (acts.includes('sure')) isInterrupting = false;
      if (playedDb === undefined || clip) {
        follow(frames);
        if (phase === 'speaking' && !clip) begin(samples);
      }
      return { frames, acts, phase };
    },
    hear(interim) {
      end.hear(interim);
    },
    wait: () => end.wait(),
    finish,
  };
}
