// Plays sounds without gaps, at any speed with constant pitch, and prepares the next sound before the current one ends.
import { withLimit } from '#lib/async';
import { soundContext } from '#page/kit/sound-context.ts';
import { t } from '#page/kit/t.ts';

export interface Sound {
  readonly text: string;
  /** Loads the sound. Rejects if it is unavailable, and with the signal's reason. */
  load(signal: AbortSignal): Promise<Blob>;
}

export interface PlayerEvents {
  /** Returns the next sound to play; `undefined` if none is available yet. */
  next(): Sound | undefined;
  onPlay(sound: Sound): void;
  /** Called when a sound was played to its end. */
  onEnd(sound: Sound): void;
  /** Called when a sound could not be loaded or played, and is skipped. */
  onFault(sound: Sound, fault: unknown): void;
  /** Called when the browser requires a user action first. */
  onBlocked(): void;
}

export interface Player {
  /** Checks for new sounds. */
  wake(): void;
  pause(): void;
  /** Returns whether playback resumed; a sound that is still loading starts later and calls `onPlay`. */
  resume(): boolean;
  /** Stops immediately; returns the current sound and how much of it was played. */
  stop(): { readonly sound: Sound; readonly part: number } | undefined;
  setSpeed(speed: number): void;
  setGain(gain: number): void;
  /** Returns the output level in dB below full scale. */
  levelDb(): number;
  readonly current: Sound | undefined;
}

interface Deck {
  readonly element: HTMLAudioElement;
  sound?: Sound | undefined;
  address?: string | undefined;
  /** Resolves when loaded; rejects with the reason. */
  ready?: Promise<unknown> | undefined;
}

/** Duration of gain changes in seconds; a gradual change avoids clicks. */
const rampSeconds = 0.015;
const silenceDb = -100;

export function createPlayer(events: PlayerEvents): Player {
  const sound = soundContext();
  const gain = sound.createGain();
  const meter = sound.createAnalyser();
  meter.fftSize = 1024;
  gain.connect(meter).connect(sound.destination);
  const samples = new Float32Array(meter.fftSize);
  const decks: readonly [Deck, Deck] = [createDeck(), createDeck()];
  /** Index of the deck that plays now or next. */
  let active = 0;
  let isPaused = false;
  let isPlaying = false;
  let speed = 1;
  let run = new AbortController();

  function createDeck(): Deck {
    const element = new Audio();
    element.preservesPitch = true;
    sound.createMediaElementSource(element).connect(gain);
    const deck: Deck = { element };
    element.addEventListener('ended', () => ended(deck));
    element.addEventListener('error', () => {
      if (deck.address !== undefined && deck === decks[active]) failed(deck, element.error);
    });
    return deck;
  }

  const here = (): Deck => decks[active] as Deck;
  const there = (): Deck => decks[1 - active] as Deck;

  function empty(deck: Deck): void {
    deck.element.pause();
    if (deck.address !== undefined) URL.revokeObjectURL(deck.address);
    deck.address = deck.sound = deck.ready = undefined;
    deck.element.removeAttribute('src');
  }

  function fill(deck: Deck): void {
    if (deck.sound) return;
    const next = events.next();
    if (!next) return;
    const own = run;
    deck.sound = next;
    deck.ready = next.load(own.signal).then((blob) => {
      if (own !== run || deck.sound !== next) return;
      deck.address = URL.createObjectURL(blob);
      deck.element.src = deck.address;
      deck.element.playbackRate = deck.element.defaultPlaybackRate = speed;
    });
    deck.ready.catch(() => undefined); // reported when the sound is played
  }

  async function advance(): Promise<void> {
    if (isPlaying || isPaused) return;
    fill(here());
    const deck = here();
    const { sound: next } = deck;
    if (!next) return;
    isPlaying = true;
    const own = run;
    try {
      await deck.ready;
      if (own !== run) return;
      fill(there());
      if (isPaused) return void (isPlaying = false);
      if (sound.state !== 'running') await withinMoment(sound.resume());
      if (own !== run) return;
      if (sound.state !== 'running') return blocked();
      events.onPlay(next);
      await deck.element.play();
    } catch (fault) {
      if (own !== run) return;
      // Not an error: a pause interrupted the start of the sound.
      if (isPaused) return void (isPlaying = deck.address !== undefined);
      if (fault instanceof DOMException && fault.name === 'NotAllowedError') return blocked();
      failed(deck, fault);
    }
  }

  function blocked(): void {
    isPlaying = false;
    isPaused = true;
    events.onBlocked();
  }

  function leave(deck: Deck): Sound | undefined {
    const { sound: left } = deck;
    empty(deck);
    active = 1 - active;
    isPlaying = false;
    return left;
  }

  function ended(deck: Deck): void {
    if (deck !== here() || !isPlaying) return;
    const left = leave(deck);
    if (left) events.onEnd(left);
    void advance();
  }

  function failed(deck: Deck, fault: unknown): void {
    if (deck !== here()) return;
    const left = leave(deck);
    if (left) events.onFault(left, fault);
    void advance();
  }

  return {
    get current() {
      return here().sound;
    },
    wake() {
      if (isPlaying) fill(there());
      else void advance();
    },
    pause() {
      isPaused = true;
      here().element.pause();
    },
    resume() {
      if (!isPaused) return false;
      isPaused = false;
      if (!isPlaying) void advance();
      if (!isPlaying || here().address === undefined) return false;
      void sound.resume();
      here()
        .element.play()
        .catch(() => isPaused || blocked());
      return true;
    },
    stop() {
      run.abort(new Error(t('the sound is no longer needed')));
      run = new AbortController();
      const { sound: left, element } = here();
      const part = element.duration > 0 ? Math.min(1, element.currentTime / element.duration) : 0;
      const wasHeard = isPlaying;
      for (const deck of decks) empty(deck);
      isPlaying = isPaused = false;
      return left && wasHeard ? { sound: left, part } : undefined;
    },
    setSpeed(next) {
      speed = next;
      for (const { element } of decks) element.playbackRate = element.defaultPlaybackRate = next;
    },
    setGain(next) {
      gain.gain.setTargetAtTime(next, sound.currentTime, rampSeconds / 3);
    },
    levelDb() {
      if (!isPlaying || isPaused) return silenceDb;
      meter.getFloatTimeDomainData(samples);
      let power = 0;
      for (const sample of samples) power += sample * sample;
      return power === 0 ? silenceDb : Math.max(silenceDb, 10 * Math.log10(power / samples.length));
    },
  };
}

/** Waits briefly for the work, because a browser that requires a user action never responds. */
async function withinMoment(work: Promise<void>): Promise<void> {
  await withLimit(work, 300, () => undefined);
}
