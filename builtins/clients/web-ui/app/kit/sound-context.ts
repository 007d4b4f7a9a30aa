// The one way by which this page hears and makes sound.

let context: AudioContext | undefined;

/** A browser lets it sound only after somebody pressed something. */
export function soundContext(): AudioContext {
  return (context ??= new AudioContext({ latencyHint: 'interactive' }));
}

/** Two tones as a sign: upwards that something begins, downwards that it is over. */
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
