// Runs a hands-free conversation: listens, sends complete utterances, and lets the user interrupt the agent's speech.
import { CallError, type Client, type OpenChat } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { playCue } from '#page/kit/sound-context.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { SpokenOutput } from '#page/points/contribution.ts';
import { noHandsFree, type HandsFree, type HandsFreeState } from './hands-free-state.ts';
import { createListener, type Heard, type Listener } from './listener.ts';
import { levelOf } from './sound/level.ts';
import { openMicrophone, type Microphone } from './sound/microphone.ts';
import { isEcho } from './sound/echo-check.ts';
import { transcribe, type Recording } from './transcribe.ts';
import { pauseMs, readMicrophone } from './microphone-settings.ts';
import { openPreview, type Preview } from './web-speech.ts';
import { t } from '#page/kit/t.ts';
import { isComposing } from '#page/kit/composing.ts';

/** Time without speech after which the recording ends, in milliseconds. */
const idleMs = 5 * 60_000;
/** Time in milliseconds before a clip during which the page's own speech may still be audible in the clip. */
const ownWordsMs = 8_000;

interface Session {
  readonly chat: OpenChat;
  readonly output: SpokenOutput | undefined;
  /** Whether spoken replies were on before the conversation started. */
  readonly wasSpoken: boolean;
  readonly listener: Listener;
  microphone?: Microphone;
  preview?: Preview | undefined;
  leave?: () => void;
}

export function createHandsFree(client: Client, state: ValueStore<HandsFreeState>): HandsFree {
  const level = createValue(0);
  let session: Session | undefined;
  /** Clips waiting for transcription, one at a time. */
  let queue: { readonly chat: OpenChat; readonly recording: Recording; readonly ownWords: string }[] = [];
  let isUnderstanding = false;
  let giveUp = new AbortController();
  let idle: ReturnType<typeof setTimeout> | undefined;

  const config = () => client.connection.get().config;

  function show(change: Partial<HandsFreeState>): void {
    if (!session) return;
    state.set({ ...state.get(), chatId: session.chat.chatId, ...change });
  }

  function sign(): void {
    clearTimeout(idle);
    idle = setTimeout(() => end(t('Ended after five minutes without speech.')), idleMs);
  }

  async function start(chat: OpenChat, output: SpokenOutput | undefined): Promise<void> {
    close();
    queue = [];
    const own: Session = { chat, output, wasSpoken: output?.isOn(chat.chatId) ?? false, listener: createListener({ pauseMs: pauseMs(), onHeard }) };
    session = own;
    state.set({ phase: 'starting', chatId: chat.chatId });
    watchPage(true);
    const deviceId = readMicrophone();
    try {
      const microphone = await openMicrophone({
        ...(deviceId === undefined ? {} : { deviceId }),
        onSamples: (samples) => session === own && take(own, samples),
        onGone: () => session === own && end(t('The microphone was disconnected, so the conversation ended. Connect it and start again.')),
      });
      if (session !== own) return microphone.close();
      own.microphone = microphone;
      // Speech is enabled only after the use of the microphone was allowed.
      await output?.turn(chat.chatId, true);
      if (session !== own) return;
    } catch (fault) {
      if (session === own) end(messageOf(fault));
      return;
    }
    if (config()?.dictationAudioCue === true) playCue('start');
    sign();
    show({ phase: 'listening' });
    if (config()?.dictationWebSpeech === true) listenAlong(own);
  }

  function listenAlong(own: Session): void {
    own.preview?.close();
    own.preview = openPreview((preview) => {
      // The browser's preview also recognises the page's own voice.
      if (session !== own || own.output?.isSpeaking.get() === true) return;
      own.listener.hear(preview);
      show({ preview });
    });
  }

  function take(own: Session, samples: Float32Array): void {
    const { listener, output } = own;
    const isSpeaking = output?.isSpeaking.get() ?? false;
    const { frames, acts, phase } = listener.push(samples, isSpeaking ? output?.levelDb() : undefined);
    level.set(levelOf(frames, level.get()));
    for (const act of acts) {
      if (act === 'duck') output?.setGain(0.25);
      if (act === 'restore') output?.setGain(1);
      if (act === 'stop') output?.pause();
      if (act === 'sure') output?.stop('barge_in');
      if (act === 'resume') {
        output?.setGain(1);
        output?.resume();
      }
    }
    if (phase === 'speaking') sign();
    const shown = phase === 'speaking' ? 'hearing' : isUnderstanding ? 'transcribing' : 'listening';
    if (state.get().phase !== shown) show({ phase: shown, ...(shown === 'hearing' ? { note: undefined } : {}) });
  }

  function onHeard({ wav, wasOverSpeech }: Heard): void {
    if (!session) return;
    const { chat, output } = session;
    output?.setGain(1);
    queue.push({ chat, recording: { wav, chatId: chat.chatId }, ownWords: wasOverSpeech ? (output?.lately(ownWordsMs) ?? '') : '' });
    show({ preview: '' });
    if (session.preview) listenAlong(session);
    void understand();
  }

  async function understand(): Promise<void> {
    if (isUnderstanding) return;
    isUnderstanding = true;
    giveUp = new AbortController();
    const { signal } = giveUp;
    try {
      for (let next = queue[0]; next; next = queue[0]) {
        const text = await textOf(next.recording, signal);
        if (signal.aborted) return;
        queue.shift();
        if (text === '' || isEcho(text, next.ownWords)) continue;
        session?.output?.stop('barge_in');
        next.chat.send(text, { liveDictation: true, whenBusy: 'steer' });
      }
    } catch (fault) {
      if (!signal.aborted) fail(messageOf(fault));
    } finally {
      isUnderstanding = false;
    }
  }

  /** Transcribes a clip. Returns an empty string for a clip without speech. */
  async function textOf(recording: Recording, signal: AbortSignal): Promise<string> {
    try {
      return await transcribe(client, recording, signal);
    } catch (fault) {
      if (fault instanceof CallError && fault.code === 'no_speech') return '';
      throw fault;
    }
  }

  /** Ends the conversation with a notice; keeps the last clip. */
  function fail(problem: string): void {
    const chatId = queue[0]?.chat.chatId;
    close();
    state.set({ phase: 'failed', ...(chatId === undefined ? {} : { chatId }), note: problem, canRetry: true });
  }

  function close(): void {
    const ended = session;
    session = undefined;
    clearTimeout(idle);
    watchPage(false);
    level.set(0);
    if (!ended) return;
    ended.microphone?.close();
    ended.preview?.close();
    ended.output?.setGain(1);
    if (ended.output && !ended.wasSpoken) ended.output.turn(ended.chat.chatId, false).catch(() => undefined); // the claim expires by itself
  }

  function end(note?: string): void {
    const chatId = session?.chat.chatId ?? state.get().chatId;
    const wasOpen = session?.microphone !== undefined;
    close();
    giveUp.abort();
    queue = [];
    if (wasOpen && config()?.dictationAudioCue === true) playCue('stop');
    state.set(note === undefined || chatId === undefined ? noHandsFree : { phase: 'failed', chatId, note });
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    // While the agent speaks, Escape first stops the speech.
    if (event.key !== 'Escape' || isComposing(event) || event.defaultPrevented || session?.output?.isSpeaking.get() === true) return;
    if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]')) return;
    event.preventDefault();
    end();
  };
  const onHidden = (): void => {
    if (document.hidden) end(t('The page was hidden, so the conversation ended.'));
  };

  function watchPage(isOn: boolean): void {
    const change = isOn ? 'addEventListener' : 'removeEventListener';
    globalThis[change]('keydown', onKeyDown as EventListener);
    document[change]('visibilitychange', onHidden);
  }

  return {
    level,
    start: (chat, output) => void start(chat, output),
    wait: () => session?.listener.wait(),
    send: () => session?.listener.finish(),
    again() {
      const { chatId } = state.get();
      state.set(chatId === undefined ? noHandsFree : { phase: 'transcribing', chatId });
      void understand().then(() => state.get().phase === 'transcribing' && state.set(noHandsFree));
    },
    end,
  };
}
