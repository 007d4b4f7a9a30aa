// Plays replies while they are written, and messages that the user wants read aloud.
import type { Client, WireEvent } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import { createAwaitedRest } from './awaited-rest.ts';
import { createClaims } from './claims.ts';
import { createClipOrder, type ClipOrder, type SpokenClip } from './clip-order.ts';
import { loadClip } from './load-clip.ts';
import { createPlayer, type Sound } from './player.ts';
import { speakerIdOf } from './speaker-id.ts';
import { clipOf, failureOf, speakerOf, type Heard, type ReadClip, type SpeakerNow } from './speech-calls.ts';
import type { SpeechState, SpokenReplies } from './speech-state.ts';
import { keepSpeed, readSpeed } from './speed.ts';
import { t } from '#page/kit/t.ts';
import { isComposing } from '#page/kit/composing.ts';

/** Maximum wait for a missing sentence while later ones are available, in milliseconds. */
const gapMs = 3_000;
const keptLatelyMs = 30_000;

/** A playing or queued item: a sentence of a reply, or a part of a message. */
interface Item extends Sound {
  readonly chatId: string;
  readonly clip?: SpokenClip;
  readonly messageId?: string;
}

export function createSpokenReplies(client: Client, state: ValueStore<SpeechState>): SpokenReplies {
  const speakerId = speakerIdOf(client);
  const orders = new Map<string, ClipOrder>();
  const isSpeaking = createValue(false);
  const speed = createValue(readSpeed());
  let reading: Item[] = [];
  let giveUpReading = new AbortController();
  /** Set while further parts of a message must be requested. */
  let readingOn: AbortSignal | undefined;
  /** Recently played texts with their times on this page's clock. */
  let lately: { readonly text: string; readonly from: number; to: number }[] = [];
  let gap: ReturnType<typeof setTimeout> | undefined;
  const player = createPlayer({ next, onPlay, onEnd, onFault, onBlocked: () => showNow('blocked') });
  player.setSpeed(speed.get());
  const rest = createAwaitedRest(client, showNothing);

  const show = (change: Partial<SpeechState>): void => state.set({ ...state.get(), ...change });
  const { isOwn, turn, ...claims } = createClaims({ client, state, speakerId, silence });
  const orderOf = (chatId: string): ClipOrder => {
    const found = orders.get(chatId) ?? createClipOrder();
    orders.set(chatId, found);
    return found;
  };

  function showNow(is: 'playing' | 'blocked', item = player.current as Item | undefined): void {
    isSpeaking.set(is === 'playing');
    if (!item) return;
    const { chatId, messageId, text } = item;
    show({ now: { chatId, text, is, ...(messageId === undefined ? {} : { messageId }) } });
  }

  /** Marks the current text as preparing or paused. */
  function hold(is: 'preparing' | 'paused'): void {
    isSpeaking.set(false);
    const { now } = state.get();
    if (now) show({ now: { ...now, is } });
  }

  function showNothing(): void {
    isSpeaking.set(false);
    show({ now: undefined });
  }

  function next(): Item | undefined {
    const read = reading.shift();
    if (read) return read;
    for (const order of orders.values()) {
      const clip = order.next();
      if (clip) return itemOf(clip);
    }
    return undefined;
  }

  function loaded(url: string, item: Omit<Item, 'load'>): Item {
    const onDelay = (): void => {
      if (player.current === whole) hold('preparing');
    };
    const whole: Item = { ...item, load: (signal) => loadClip(client, url, { signal, onDelay }) };
    return whole;
  }

  const itemOf = (clip: SpokenClip): Item => loaded(clip.url, { chatId: clip.chatId, text: clip.text, clip });

  function onPlay(sound: Sound): void {
    rest.end();
    silentNow();
    const now = performance.now();
    lately = [...lately.filter(({ to }) => now - to < keptLatelyMs), { text: sound.text, from: now, to: Infinity }];
    showNow('playing', sound as Item);
  }

  function silentNow(): void {
    for (const one of lately) one.to = Math.min(one.to, performance.now());
  }

  function onEnd(sound: Sound): void {
    silentNow();
    waitAfter(sound as Item);
  }

  /** Waits for the next part; it can be stopped until then. */
  function waitAfter({ clip }: Item): void {
    if (!player.current && !clip && readingOn?.aborted !== false) return showNothing();
    hold('preparing');
    if (!player.current && clip) rest.begin(clip);
  }

  function onFault(sound: Sound, fault: unknown): void {
    silentNow();
    show({ problem: t('A sentence could not be spoken: {fault}', { fault: messageOf(fault) }) });
    const { clip, ...item } = sound as Item;
    waitAfter(clip ? { ...item, clip: { ...clip, text: '' } } : item);
  }

  function notify(heard: Heard): void {
    client.call('POST /api/tts/heard', { body: heard }).catch(() => undefined); // the report only informs the model
  }

  function take(event: WireEvent): void {
    const clip = clipOf(event);
    if (clip && isOwn(clip.chatId) && orderOf(clip.chatId).add(clip)) {
      if (rest.last?.chatId === clip.chatId) rest.end();
      if (!state.get().now) show({ now: { chatId: clip.chatId, text: clip.text, is: 'preparing' }, problem: undefined });
      player.wake();
      watchGap();
    }
    const failed = failureOf(event);
    if (failed && isOwn(failed.chatId)) {
      orderOf(failed.chatId).skip(failed);
      show({ problem: t('A part cannot be spoken: {message}', { message: failed.message }) });
      player.wake();
      if (!player.current) rest.skip(failed);
    }
    const claim = speakerOf(event);
    if (event.kind === 'connected') {
      claims.renew();
      rest.askAgain();
    }
    if (!claim) return;
    // Queued parts from before the page's own claim stay valid: the server was unreachable in between.
    if (!(claim.reason === 'claimed' && claim.speakerId === speakerId)) takeEpoch(claim);
    claims.take(claim);
  }

  /** Discards older parts: a message arrived, or playback was stopped. */
  function takeEpoch({ chatId, epoch }: SpeakerNow): void {
    const playing = player.current ? (player.current as Item).clip : rest.last;
    orders.get(chatId)?.drop(epoch - 1);
    if (playing?.chatId === chatId && playing.epoch < epoch) silence(chatId);
  }

  /** Skips a missing sentence after a while, so that it does not block the others. */
  function watchGap(): void {
    clearTimeout(gap);
    gap = setTimeout(() => {
      for (const order of orders.values()) {
        if (!order.hasGap) continue;
        const late = order.next(true);
        if (late) reading.unshift(itemOf(late));
      }
      player.wake();
    }, gapMs);
  }

  /** Removes playing and queued parts of this chat; returns how much was heard. */
  function silence(chatId: string): Omit<Heard, 'reason'> | undefined {
    reading = reading.filter((item) => item.chatId !== chatId);
    const current = player.current as Item | undefined;
    if (current?.chatId !== chatId) return leaveRest(chatId);
    const left = player.stop();
    silentNow();
    player.setGain(1);
    giveUpReading.abort();
    const clip = current.clip;
    const order = orders.get(chatId);
    if (clip) order?.drop(clip.epoch);
    else order?.clear();
    rest.end();
    showNothing();
    player.wake();
    return clip ? { chatId, epoch: clip.epoch, seq: clip.seq, heardChars: Math.round(clip.text.length * (left?.part ?? 0)) } : undefined;
  }

  /** Discards the expected rest of a chat that is not playing now. */
  function leaveRest(chatId: string): Omit<Heard, 'reason'> | undefined {
    const last = rest.last?.chatId === chatId ? rest.last : undefined;
    const order = orders.get(chatId);
    const place = last ?? order?.first;
    if (!place) return undefined;
    order?.drop(place.epoch);
    if (last) rest.end();
    if (!player.current) showNothing();
    return { chatId, epoch: place.epoch, seq: place.seq, heardChars: last?.text.length ?? 0 };
  }

  async function read(chatId: string, messageId: string, text: string): Promise<void> {
    if (player.current || rest.last) stop('stop');
    giveUpReading.abort();
    giveUpReading = new AbortController();
    const { signal } = giveUpReading;
    readingOn = signal;
    show({ now: { chatId, messageId, text, is: 'preparing' }, problem: undefined });
    try {
      for (let left = text; left.trim() !== '';) {
        // Requests the text beyond a call's limit with another call.
        const { clips, cost, taken } = await client.call('POST /api/tts', { body: { text: left, chatId, wait: false }, signal });
        if (signal.aborted) return;
        if (cost !== null) show({ cost: (state.get().cost ?? 0) + cost });
        reading.push(...clips.map((clip) => readItemOf(chatId, messageId, clip)));
        player.wake();
        left = taken > 0 ? left.slice(taken) : '';
      }
      readingOn = undefined;
      if (!player.current && reading.length === 0) showNothing();
    } catch (fault) {
      if (signal.aborted) return;
      readingOn = undefined;
      showNothing();
      show({ problem: t('This cannot be read aloud: {fault}', { fault: messageOf(fault) }) });
    }
  }

  const readItemOf = (chatId: string, messageId: string, { url, text }: ReadClip): Item => loaded(url, { chatId, messageId, text });

  function stop(reason: 'stop' | 'barge_in'): void {
    giveUpReading.abort();
    const { now } = state.get();
    const chatId = (player.current as Item | undefined)?.chatId ?? now?.chatId;
    if (chatId === undefined) return;
    const heard = silence(chatId);
    showNothing();
    if (heard) notify({ ...heard, reason });
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isComposing(event) || event.defaultPrevented || !state.get().now) return;
    if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
    event.preventDefault();
    stop('stop');
  };

  client.on(take);
  addEventListener('keydown', onKeyDown);
  speed.subscribe(() => {
    keepSpeed(speed.get());
    player.setSpeed(speed.get());
  });
  return {
    isSpeaking,
    speed,
    turn,
    read,
    stop,
    isOn: (chatId) => state.get().own.has(chatId),
    restore: (chatId) => void turn(chatId, true).catch(() => undefined), // the area above the composer shows the error
    levelDb: () => player.levelDb(),
    setGain: (gain) => player.setGain(gain),
    pause() {
      player.pause();
      silentNow();
      hold('paused');
    },
    resume() {
      const { current } = player;
      hold('preparing');
      if (player.resume() && current) onPlay(current);
    },
    lately(ms) {
      const since = performance.now() - ms;
      return lately
        .filter(({ to }) => to >= since)
        .map(({ text }) => text)
        .join(' ');
    },
  };
}
