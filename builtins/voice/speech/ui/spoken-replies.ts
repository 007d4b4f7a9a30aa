// Plays replies while they are written, and messages that the user wants read aloud.
import type { Client, ReplyOf, WireEvent } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import { createAwaitedRest } from './awaited-rest.ts';
import { createClaims } from './claims.ts';
import type { SpokenClip } from './clip-order.ts';
import { loadClip } from './load-clip.ts';
import { createPlayer, type Sound } from './player.ts';
import { createRecentTexts } from './recent-texts.ts';
import { createReplyClips } from './reply-clips.ts';
import { createSpeechDisplay } from './speech-display.ts';
import { speakerIdOf } from './speaker-id.ts';
import { clipOf, failureOf, speakerOf, type Heard, type SpeakerNow } from './speech-calls.ts';
import type { SpeechState, SpokenReplies } from './speech-state.ts';
import { keepSpeed, readSpeed } from './speed.ts';
import { t } from '#page/kit/t.ts';
import { isComposing } from '#page/kit/composing.ts';

/** A playing or queued item: a sentence of a reply, or a part of a message. */
interface Item extends Sound {
  readonly chatId: string;
  readonly clip?: SpokenClip;
  readonly messageId?: string;
}

export function createSpokenReplies(client: Client, state: ValueStore<SpeechState>): SpokenReplies {
  const speakerId = speakerIdOf(client);
  const display = createSpeechDisplay(state);
  const { show } = display;
  const recent = createRecentTexts();
  const replies = createReplyClips((late) => {
    reading.unshift(...late.map(itemOf));
    player.wake();
  });
  const speed = createValue(readSpeed());
  let reading: Item[] = [];
  let giveUpReading = new AbortController();
  /** Set while further parts of a message must be requested. */
  let readingOn: AbortSignal | undefined;
  const player = createPlayer({ next, onPlay, onEnd, onFault, onBlocked: () => display.showNow('blocked', player.current as Item | undefined) });
  player.setSpeed(speed.get());
  const rest = createAwaitedRest(client, display.clear);

  const { isOwn, turn, ...claims } = createClaims({ client, state, speakerId, silence });

  function next(): Item | undefined {
    const read = reading.shift();
    if (read) return read;
    const clip = replies.next();
    return clip && itemOf(clip);
  }

  function loaded(url: string, item: Omit<Item, 'load'>): Item {
    const onDelay = (): void => {
      if (player.current === whole) display.hold('preparing');
    };
    const whole: Item = { ...item, load: (signal) => loadClip(client, url, { signal, onDelay }) };
    return whole;
  }

  const itemOf = (clip: SpokenClip): Item => loaded(clip.url, { chatId: clip.chatId, text: clip.text, clip });

  function onPlay(sound: Sound): void {
    rest.end();
    recent.begin(sound.text);
    display.showNow('playing', sound as Item);
  }

  function onEnd(sound: Sound): void {
    recent.end();
    waitAfter(sound as Item);
  }

  /** Waits for the next part. The user can stop the speech during the wait. */
  function waitAfter({ clip }: Item): void {
    if (!player.current && !clip && readingOn?.aborted !== false) return display.clear();
    display.hold('preparing');
    if (!player.current && clip) rest.begin(clip);
  }

  function onFault(sound: Sound, fault: unknown): void {
    recent.end();
    show({ problem: t('A sentence could not be spoken: {fault}', { fault: messageOf(fault) }) });
    const { clip, ...item } = sound as Item;
    waitAfter(clip ? { ...item, clip: { ...clip, text: '' } } : item);
  }

  function notify(heard: Heard): void {
    client.call('POST /api/tts/heard', { body: heard }).catch(() => undefined); // the report only informs the model
  }

  function take(event: WireEvent): void {
    const clip = clipOf(event);
    if (clip && isOwn(clip.chatId) && replies.of(clip.chatId).add(clip)) {
      if (rest.last?.chatId === clip.chatId) rest.end();
      if (!state.get().now) show({ now: { chatId: clip.chatId, text: clip.text, is: 'preparing' }, problem: undefined });
      player.wake();
      replies.watchGap();
    }
    const failed = failureOf(event);
    if (failed && isOwn(failed.chatId)) {
      replies.of(failed.chatId).skip(failed);
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
    replies.find(chatId)?.drop(epoch - 1);
    if (playing?.chatId === chatId && playing.epoch < epoch) silence(chatId);
  }

  /** Removes playing and queued parts of this chat; returns how much was heard. */
  function silence(chatId: string): Omit<Heard, 'reason'> | undefined {
    reading = reading.filter((item) => item.chatId !== chatId);
    const current = player.current as Item | undefined;
    if (current?.chatId !== chatId) return leaveRest(chatId);
    const left = player.stop();
    recent.end();
    player.setGain(1);
    giveUpReading.abort();
    const clip = current.clip;
    const order = replies.find(chatId);
    if (clip) order?.drop(clip.epoch);
    else order?.clear();
    rest.end();
    display.clear();
    player.wake();
    return clip ? { chatId, epoch: clip.epoch, seq: clip.seq, heardChars: Math.round(clip.text.length * (left?.part ?? 0)) } : undefined;
  }

  /** Discards the expected rest of a chat that is not playing now. */
  function leaveRest(chatId: string): Omit<Heard, 'reason'> | undefined {
    const last = rest.last?.chatId === chatId ? rest.last : undefined;
    const order = replies.find(chatId);
    const place = last ?? order?.first;
    if (!place) return undefined;
    order?.drop(place.epoch);
    if (last) rest.end();
    if (!player.current) display.clear();
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
      for await (const { clips, cost } of requestClips(client, chatId, text, signal)) {
        if (cost !== null) show({ cost: (state.get().cost ?? 0) + cost });
        reading.push(...clips.map((clip) => loaded(clip.url, { chatId, messageId, text: clip.text })));
        player.wake();
      }
      if (signal.aborted) return;
      readingOn = undefined;
      if (!player.current && reading.length === 0) display.clear();
    } catch (fault) {
      if (signal.aborted) return;
      readingOn = undefined;
      display.clear();
      show({ problem: t('This cannot be read aloud: {fault}', { fault: messageOf(fault) }) });
    }
  }

  function stop(reason: 'stop' | 'barge_in'): void {
    giveUpReading.abort();
    const { now } = state.get();
    const chatId = (player.current as Item | undefined)?.chatId ?? now?.chatId;
    if (chatId === undefined) return;
    const heard = silence(chatId);
    display.clear();
    if (heard) notify({ ...heard, reason });
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isEscape(event) || !state.get().now) return;
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
    isSpeaking: display.isSpeaking,
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
      recent.end();
      display.hold('paused');
    },
    resume() {
      const { current } = player;
      display.hold('preparing');
      if (player.resume() && current) onPlay(current);
    },
    lately: (ms) => recent.within(ms),
  };
}

/** Requests the speech of a text; the text beyond a call's limit is requested with another call. Ends after an abort. */
async function* requestClips(client: Client, chatId: string, text: string, signal: AbortSignal): AsyncGenerator<ReplyOf<'POST /api/tts'>> {
  for (let left = text; left.trim() !== '';) {
    const reply = await client.call('POST /api/tts', { body: { text: left, chatId, wait: false }, signal });
    if (signal.aborted) return;
    yield reply;
    left = reply.taken > 0 ? left.slice(reply.taken) : '';
  }
}

/** Returns whether the key press is an Escape that no open menu or dialog handles. */
function isEscape(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || isComposing(event) || event.defaultPrevented) return false;
  return !document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]');
}
