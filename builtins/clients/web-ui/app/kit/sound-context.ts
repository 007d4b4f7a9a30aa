// Provides the only audio context of this page, for recording and playback.

let context: AudioContext | undefined;

/** Returns the audio context. Browsers allow sound only after an action by the user. */
export function soundContext(): AudioContext {
  return (context ??= new AudioContext({ latencyHint: 'interactive' }));
}

/** Plays a cue of two tones: rising at the start, falling at the end. */
export function playCue(kind: 'start' | 'stop'): void {
  const sound = soundContext();
  const gain = sound.createGain();
  gain.gain.value = 0.06;
  gain.connect(sound.destination);
  for (const [index, hertz] of (kind === 'start' ? [660, 880] : [880, 660]).entries()) {
    const tone = sound.createOscillator();
    tone.frequency.value = hertz;
    tone.connect(gain);
    tone.start(sound.currentTime + index * 0.09);
    tone.stop(sound.currentTime + index * 0.09 + 0.08);
  }
}
