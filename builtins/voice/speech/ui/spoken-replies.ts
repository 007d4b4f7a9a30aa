// Speaks: what the server makes of replies while they are written, and messages that somebody wants read to them.
import type { Client, WireEvent } from 'agent-harness/client';
import { messageOf } from 'agent-harness/lib/errors';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import { createClaims } from './claims.ts';
import { createClipOrder, type ClipOrder, type SpokenClip } from './clip-order.ts';
import { loadClip } from './load-clip.ts';
import { createPlayer, type Sound } from './player.ts';
import { speakerIdOf } from './speaker-id.ts';
import { clipOf, failureOf, speakerOf, type Heard, type ReadClip, type SpeakerNow } from './speech-calls.ts';
import type { SpeechState, SpokenReplies } from './speech-state.ts';
import { keepSpeed, readSpeed } from './speed.ts';
import { t } from '#page/kit/t.ts';

/** Waited for a sentence that was to come before others that are here. */
const gapMs = 3_000;
const keptLatelyMs = 30_000;

/** What plays or waits to: a sentence of a reply, or a part of a message that is read. */
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
  /** What went out, with the times of this page. */
  let lately: { readonly text: string; readonly from: number; to: number }[] = [];
  let gap: ReturnType<typeof setTimeout> | undefined;
  const player = createPlayer({ next, onPlay, onEnd, onFault, onBlocked: () => showNow('blocked') });
  player.setSpeed(speed.get());

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

  /** Also what has yet to come. */
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
    const { chatId, clip } = sound as Item;
    // The next one sounds at once, or once it is there.
    if (player.current) return hold('preparing');
    showNothing();
    const isRunning = client.open(chatId).state.get().running !== undefined;
    if (clip && !isRunning) tell({ chatId, epoch: clip.epoch, seq: clip.seq, heardChars: clip.text.length, reason: 'finished' });
  }

  function onFault(_sound: Sound, fault: unknown): void {
    silentNow();
    show({ problem: t('A sentence could not be spoken: {fault}', { fault: messageOf(fault) }) });
    if (!player.current) showNothing();
  }

  function tell(heard: Heard): void {
    client.call('POST /api/tts/heard', { body: heard }).catch(() => undefined); // it only helps the model to know
  }

  function take(event: WireEvent): void {
    const clip = clipOf(event);
    if (clip && isOwn(clip.chatId) && orderOf(clip.chatId).add(clip)) {
      if (!state.get().now) show({ now: { chatId: clip.chatId, text: clip.text, is: 'preparing' }, problem: undefined });
      player.wake();
      watchGap();
    }
    const failed = failureOf(event);
    if (failed && isOwn(failed.chatId)) {
      orderOf(failed.chatId).skip(failed);
      show({ problem: t('A part is not spoken: {message}', { message: failed.message }) });
      player.wake();
    }
    const claim = speakerOf(event);
    if (event.kind === 'connected') claims.renew();
    if (!claim) return;
    // What this page has yet to say of before its own claim is still its own to say: the server was away in between.
    if (!(claim.reason === 'claimed' && claim.speakerId === speakerId)) takeEpoch(claim);
    claims.take(claim);
  }

  /** What is older is not to be heard any more: a message came, or somebody stopped it. */
  function takeEpoch({ chatId, epoch }: SpeakerNow): void {
    const playing = (player.current as Item | undefined)?.clip;
    orders.get(chatId)?.drop(epoch - 1);
    if (playing?.chatId === chatId && playing.epoch < epoch) silence(chatId);
  }

  /** A sentence that never comes keeps nobody from hearing the others. */
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

  /** What of this chat plays or waits is gone; answers how far it was heard. */
  function silence(chatId: string): Omit<Heard, 'reason'> | undefined {
    reading = reading.filter((item) => item.chatId !== chatId);
    const current = player.current as Item | undefined;
    const order = orders.get(chatId);
    if (current?.chatId !== chatId) {
      order?.clear();
      return undefined;
    }
    const left = player.stop();
    silentNow();
    player.setGain(1);
    giveUpReading.abort();
    const clip = current.clip;
    if (clip) order?.drop(clip.epoch);
    else order?.clear();
    showNothing();
    player.wake();
    return clip ? { chatId, epoch: clip.epoch, seq: clip.seq, heardChars: Math.round(clip.text.length * (left?.part ?? 0)) } : undefined;
  }

  async function read(chatId: string, messageId: string, text: string): Promise<void> {
    if (player.current) stop('stop');
    giveUpReading.abort();
    giveUpReading = new AbortController();
    const { signal } = giveUpReading;
    show({ now: { chatId, messageId, text, is: 'preparing' }, problem: undefined });
    try {
      for (let rest = text; rest.trim() !== '';) {
        // What is longer than a call takes follows with the next one.
        const { clips, cost, taken } = await client.call('POST /api/tts', { body: { text: rest, chatId, wait: false }, signal });
        if (signal.aborted) return;
        if (cost !== null) show({ cost: (state.get().cost ?? 0) + cost });
        reading.push(...clips.map((clip) => readItemOf(chatId, messageId, clip)));
        player.wake();
        rest = taken > 0 ? rest.slice(taken) : '';
      }
    } catch (fault) {
      if (signal.aborted) return;
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
    if (heard) tell({ ...heard, reason });
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || !state.get().now) return;
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
    restore: (chatId) => void turn(chatId, true).catch(() => undefined), // why stands over the composer
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
