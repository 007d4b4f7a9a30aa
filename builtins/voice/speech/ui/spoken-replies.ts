// Speaks: what the server makes of replies while they are written, and messages that somebody wants read to them.
import type { Client, WireEvent } from 'agent-harness/client';
import { messageOf } from 'agent-harness/lib/errors';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import { createClipOrder, type ClipOrder, type SpokenClip } from './clip-order.ts';
import { createPlayer, type Sound } from './player.ts';
import { speakerIdOf } from './speaker-id.ts';
import { clipOf, failureOf, speakerOf, type Heard, type ReadClip, type SpeakerNow } from './speech-calls.ts';
import { keepSpoken, withIn, withOut, type SpeechState, type SpokenReplies } from './speech-state.ts';
import { keepSpeed, readSpeed } from './speed.ts';

/** A claim ends without it. */
const renewEveryMs = 20_000;
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
  /** Chats whose claim is on its way. */
  const claiming = new Set<string>();
  let reading: Item[] = [];
  let giveUpReading = new AbortController();
  /** What went out, with the times of this page. */
  let lately: { readonly text: string; readonly from: number; to: number }[] = [];
  let renewal: ReturnType<typeof setInterval> | undefined;
  let gap: ReturnType<typeof setTimeout> | undefined;
  const player = createPlayer({ next, onPlay, onEnd, onFault, onBlocked: () => showNow('blocked') });
  player.setSpeed(speed.get());

  const show = (change: Partial<SpeechState>): void => state.set({ ...state.get(), ...change });
  const isOwn = (chatId: string): boolean => claiming.has(chatId) || state.get().own.has(chatId);
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

  const itemOf = (clip: SpokenClip): Item => ({ chatId: clip.chatId, text: clip.text, clip, load: () => client.bytes(clip.url) });

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
    if (player.current) return;
    showNothing();
    const isRunning = client.open(chatId).state.get().running !== undefined;
    if (clip && !isRunning) tell({ chatId, epoch: clip.epoch, seq: clip.seq, heardChars: clip.text.length, reason: 'finished' });
  }

  function onFault(_sound: Sound, fault: unknown): void {
    silentNow();
    show({ problem: `A sentence could not be spoken: ${messageOf(fault)}` });
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
      show({ problem: `A part is not spoken: ${failed.message}` });
      player.wake();
    }
    const claim = speakerOf(event);
    if (!claim) return;
    takeEpoch(claim);
    takeClaim(claim.chatId, claim.speakerId);
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

  function takeClaim(chatId: string, claimedBy: string | undefined): void {
    const { own, elsewhere } = state.get();
    if (claimedBy === speakerId) return;
    if (claimedBy === undefined) {
      // It lapsed while this page was asleep.
      if (own.has(chatId)) void claim(chatId, true).catch(() => undefined);
      return;
    }
    if (own.has(chatId)) {
      setOwn(withOut(own, chatId));
      silence(chatId);
    }
    show({ elsewhere: withIn(elsewhere, chatId) });
  }

  function setOwn(own: ReadonlySet<string>): void {
    keepSpoken(own);
    show({ own });
    clearInterval(renewal);
    if (own.size === 0) return;
    renewal = setInterval(() => {
      for (const chatId of state.get().own) claim(chatId, true).catch(() => undefined); // the next one may succeed
    }, renewEveryMs);
  }

  async function claim(chatId: string, on: boolean): Promise<void> {
    await client.call('PUT /api/tts/speaker', { body: { chatId, speakerId, on } });
  }

  async function turn(chatId: string, isOn: boolean): Promise<void> {
    if (isOwn(chatId) === isOn) return;
    const { own, elsewhere } = state.get();
    show({ elsewhere: withOut(elsewhere, chatId), problem: undefined });
    // What is spoken from the claim on is this page's, and the switch is on once the server knows it.
    if (isOn) claiming.add(chatId);
    else {
      claiming.delete(chatId);
      setOwn(withOut(own, chatId));
      silence(chatId);
    }
    try {
      await claim(chatId, isOn);
      if (!isOn) return;
      if (claiming.has(chatId)) setOwn(withIn(state.get().own, chatId));
      else await claim(chatId, false); // it was switched off meanwhile
    } catch (fault) {
      show({ problem: `Replies cannot be spoken: ${messageOf(fault)}` });
      throw fault;
    } finally {
      claiming.delete(chatId);
    }
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
      show({ problem: `This cannot be read aloud: ${messageOf(fault)}` });
    }
  }

  const readItemOf = (chatId: string, messageId: string, { url, text }: ReadClip): Item => ({ chatId, messageId, text, load: () => client.bytes(url) });

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
      player.resume();
      if (current) onPlay(current);
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
