// Runs dictations one after the other, from pressing the button to inserting the text into the field.
import { CallError, type Client } from 'agent-harness/client';
import { messageOf } from '#lib/errors';
import { playCue } from '#page/kit/sound-context.ts';
import { createValue, type ValueStore } from '#page/kit/value-store.ts';
import type { TextField } from '#page/points/contribution.ts';
import { noDictation, type Dictation, type DictationState } from './dictation-state.ts';
import { createClip, usualLimitBytes, type Clip } from './sound/clip.ts';
import { createEndOfSpeech, type EndOfSpeech } from './sound/end-of-speech.ts';
import { createFramer } from './sound/frames.ts';
import { levelOf } from './sound/level.ts';
import { openMicrophone, type Microphone } from './sound/microphone.ts';
import { transcribe, type Recording } from './transcribe.ts';
import { pauseMs, readMicrophone } from './microphone-settings.ts';
import { openPreview, type Preview } from './web-speech.ts';
import { t } from '#page/kit/t.ts';
import { isComposing } from '#page/kit/composing.ts';

/** Minimum duration of a press in milliseconds; after a longer press, the release ends the recording. */
const holdMs = 350;
const nothingHeard = /* t */ 'No speech was recorded. Check which microphone is selected.';
const wentAway = /* t */ 'The microphone was disconnected. The transcript covers the recording until then.';
const isFull = /* t */ 'The recording reached the size limit of the server. The transcript covers the recording until then.';
const wasHidden = /* t */ 'The page was hidden, so the recording ended.';

/** Resources of the current recording. */
interface Session {
  readonly field: TextField;
  readonly chatId: string | undefined;
  readonly clip: Clip;
  readonly end: EndOfSpeech;
  microphone?: Microphone;
  /** Start time, on the clock of event timestamps. */
  listensSince?: number;
  preview?: Preview | undefined;
  /** Notice for the user that is shown after the text was inserted. */
  remark?: string;
}

export function createDictation(client: Client, state: ValueStore<DictationState>): Dictation {
  const level = createValue(0);
  let limit = usualLimitBytes;
  let session: Session | undefined;
  let pressedAt: number | undefined;
  let recording: { readonly field: TextField; readonly clip: Recording; readonly remark?: string } | undefined;
  let giveUp = new AbortController();

  const config = () => client.connection.get().config;
  const hasCue = (): boolean => config()?.dictationAudioCue === true;

  async function start(field: TextField, chatId: string | undefined): Promise<void> {
    const own: Session = { field, chatId, clip: createClip(() => limit), end: createEndOfSpeech({ pauseMs: pauseMs() }) };
    session = own;
    own.end.hold(true);
    state.set({ phase: 'starting', field });
    watchRecording(true);
    watchKeys(true);
    limit = longestClip(client);
    const framer = createFramer();
    const deviceId = readMicrophone();
    try {
      const microphone = await openMicrophone({
        ...(deviceId === undefined ? {} : { deviceId }),
        onSamples(samples) {
          if (session !== own) return;
          if (!own.clip.push(samples)) return finish(t(isFull));
          const frames = framer(samples);
          level.set(levelOf(frames, level.get()));
          for (const frame of frames) if (own.end.push(frame) === 'ended') return finish();
        },
        onGone: () => session === own && finish(t(wentAway)),
      });
      if (session !== own) return microphone.close();
      own.microphone = microphone;
      own.listensSince = performance.now();
    } catch (fault) {
      if (session !== own) return;
      close();
      state.set({ phase: 'failed', field, problem: messageOf(fault) });
      return;
    }
    // If the button is released while the browser shows its permission dialog, the press counts as a tap.
    own.end.hold(pressedAt !== undefined);
    if (hasCue()) playCue('start');
    state.set({ phase: 'recording', field });
    if (config()?.dictationWebSpeech !== true) return;
    own.preview = openPreview((preview) => {
      if (session !== own) return;
      own.end.hear(preview);
      state.set({ phase: 'recording', field, preview });
    });
  }

  function close(): void {
    session?.microphone?.close();
    session?.preview?.close();
    session = undefined;
    level.set(0);
    watchRecording(false);
    watchKeys(false);
  }

  function finish(remark?: string): void {
    const ended = session;
    if (!ended) return;
    if (!ended.microphone) return cancel();
    close();
    if (hasCue()) playCue('stop');
    const { field, chatId, clip, end } = ended;
    if (end.spokenMs === 0 && !field.isConnected) return state.set(noDictation);
    if (end.spokenMs === 0) return state.set({ phase: 'failed', field, problem: remark === t(wasHidden) ? remark : t(nothingHeard) });
    recording = { field, clip: { wav: clip.wav(), ...(chatId === undefined ? {} : { chatId }) }, ...(remark === undefined ? {} : { remark }) };
    void understand();
  }

  async function understand(): Promise<void> {
    const own = recording;
    if (!own) return;
    const { field, clip, remark } = own;
    state.set({ phase: 'transcribing', field });
    watchKeys(true);
    giveUp = new AbortController();
    const { signal } = giveUp;
    try {
      const text = await transcribe(client, clip, signal);
      if (recording !== own) return;
      recording = undefined;
      take(field, text, remark);
    } catch (fault) {
      if (recording !== own || signal.aborted) return;
      const isSilence = fault instanceof CallError && fault.code === 'no_speech';
      state.set({ phase: 'failed', field, problem: messageOf(fault), canRetry: !isSilence });
    } finally {
      if (!session && state.get().phase !== 'transcribing') watchKeys(false);
    }
  }

  function take(field: TextField, text: string, remark: string | undefined): void {
    if (text === '') return state.set({ phase: 'failed', field, problem: t(nothingHeard) });
    if (!field.isConnected) return state.set({ phase: 'heard', heard: text });
    insertText(field, text);
    state.set(remark === undefined ? noDictation : { phase: 'failed', field, problem: remark });
  }

  function cancel(): void {
    close();
    recording = undefined;
    giveUp.abort();
    pressedAt = undefined;
    state.set(noDictation);
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || isComposing(event)) return;
    // Keeps the surrounding form from being submitted.
    event.preventDefault();
    event.stopPropagation();
    cancel();
  };
  const onHidden = (): void => {
    if (document.hidden) finish(t(wasHidden));
  };

  /** Ends the recording when the window loses the focus, because the page then does not receive the release of a key. */
  const onBlur = (event: Event): void => release(event.timeStamp);

  function watchKeys(isOn: boolean): void {
    globalThis[isOn ? 'addEventListener' : 'removeEventListener']('keydown', onKeyDown as EventListener, { capture: true });
  }

  function watchRecording(isOn: boolean): void {
    const change = isOn ? 'addEventListener' : 'removeEventListener';
    globalThis[change]('blur', onBlur);
    document[change]('visibilitychange', onHidden);
  }

  function release(at: number): void {
    if (pressedAt === undefined) return;
    // Measures the press from the start of the recording, because the user cannot speak before.
    const isHeld = at - Math.max(pressedAt, session?.listensSince ?? 0) >= holdMs;
    pressedAt = undefined;
    if (isHeld && state.get().phase === 'recording') finish();
    else if (session?.microphone) session.end.hold(false);
  }

  return {
    level,
    press(field, at, chatId) {
      const { phase } = state.get();
      if (phase === 'starting' || phase === 'transcribing') return;
      if (phase === 'recording') return finish();
      recording = undefined;
      pressedAt = at;
      void start(field, chatId);
    },
    release,
    stop: () => finish(),
    cancel,
    again: () => void understand(),
    insert(field) {
      const { heard } = state.get();
      if (heard !== undefined) insertText(field, heard);
      state.set(noDictation);
    },
  };
}

/** Inserts text at the caret as if it had been typed. */
function insertText(field: TextField, text: string): void {
  const start = field.selectionStart ?? field.value.length;
  const end = field.selectionEnd ?? start;
  const spaced = withSpaces(field.value.slice(0, start), text, field.value.slice(end));
  // Typed text can be undone, but only in a focused field.
  if (document.activeElement === field && document.execCommand('insertText', false, spaced)) return;
  field.setRangeText(spaced, start, end, 'end');
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: spaced }));
}

/** Returns the maximum size in bytes that the server accepts. */
function longestClip(client: Client): number {
  return client.connection.get().config?.transcribeMaxBytes ?? usualLimitBytes;
}

/** Adds spaces between the text and adjacent words. Pure. */
export function withSpaces(before: string, text: string, after: string): string {
  const first = before !== '' && !/[\s([{"'„“]$/u.test(before) ? ' ' : '';
  const last = after !== '' && !/^[\s.,;:!?)\]}"'”]/u.test(after) ? ' ' : '';
  return `${first}${text}${last}`;
}
