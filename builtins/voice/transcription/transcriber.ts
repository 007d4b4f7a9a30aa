// Transcribes recordings: equal requests by several callers share one transcription, and the result is stored before it is returned.
import type { AudioEngines, EngineInUse, TranscriptionRequest } from 'agent-harness/builtins/voice/audio-engines';
import { untilAborted } from '#lib/async';
import type { Clip, Clips, KeptTranscript } from './clips.ts';
import type { Transcribed } from './contract.ts';
import { withoutFiller } from './filler.ts';
import { hasSpeech } from './speech-in.ts';

export interface TranscriptionWish extends Pick<TranscriptionRequest, 'language' | 'prompt' | 'timestamps'> {
  readonly chatId: string;
  readonly turnId?: string;
}

export interface TranscriberParts {
  readonly clips: Clips;
  engines(): AudioEngines;
  /** Returns names that are likely to occur in the chat; `undefined` if no names may be passed on. */
  namesFor(chatId: string): Promise<string | undefined>;
  announce(event: Transcribed): void;
  /** Aborted when the plugin ends. */
  readonly signal: AbortSignal;
}

export interface Transcriber {
  /** Transcribes a recording. Rejects with the engine's error; the recording is kept for a retry. */
  transcribe(clip: Clip, wish: TranscriptionWish, signal: AbortSignal): Promise<KeptTranscript>;
}

interface Run {
  readonly result: Promise<KeptTranscript>;
  readonly stop: AbortController;
  waiting: number;
}

export function createTranscriber({ clips, engines, namesFor, announce, signal: ending }: TranscriberParts): Transcriber {
  const runs = new Map<string, Run>();

  /** Removes a request, unless a newer entry has replaced it. */
  function forget(key: string, stop: AbortController): void {
    if (runs.get(key)?.stop === stop) runs.delete(key);
  }

  async function run(
    clip: Clip,
    wish: TranscriptionWish,
    { info, engine }: EngineInUse<'transcription'>,
    circumstances: object,
    signal: AbortSignal,
  ): Promise<KeptTranscript> {
    const transcript = (await isSilent(clip)) ? silence(clip, wish, info.name) : await write(clip, wish, info.name, engine, signal);
    await clips.keepTranscript(clip, circumstances, transcript);
    const { chatId, turnId } = wish;
    const { text, durationSec, language, cost } = transcript;
    announce({ chatId, ...(turnId === undefined ? {} : { turnId }), attachmentId: clip.attachmentId, text, durationSec, language, cost, engine: info.name });
    return transcript;
  }

  async function write(
    clip: Clip,
    { chatId, turnId, ...wish }: TranscriptionWish,
    name: string,
    engine: EngineInUse<'transcription'>['engine'],
    signal: AbortSignal,
  ): Promise<KeptTranscript> {
    const { path, mimeType, bytes: size, wave } = clip;
    const sound = { path, mimeType, size, ...(wave ? { seconds: wave.seconds } : {}), read: () => clips.read(clip) };
    const caller = { plugin: 'transcription', chatId, ...(turnId === undefined ? {} : { turnId }) };
    const prompt = wish.prompt ?? (await namesFor(chatId));
    const heard = withoutFiller(await engine.transcribe({ sound, ...wish, ...(prompt === undefined ? {} : { prompt }), caller }, signal));
    const { text, language, cost, segments, model } = heard;
    return {
      ...{ text, language, cost, engine: name },
      durationSec: heard.durationSec ?? wave?.seconds ?? null,
      ...(segments && wish.timestamps !== 'none' ? { segments } : {}),
      ...(model === undefined ? {} : { model }),
    };
  }

  return {
    async transcribe(clip, wish, signal) {
      const chosen = await engines().engine('transcription');
      const { language = '', prompt = '', timestamps } = wish;
      const circumstances = { engine: chosen.info.name, variant: chosen.variant, language, prompt, timestamps };
      const known = await clips.transcript(clip, circumstances);
      if (known) return known;
      const key = `${clip.path} ${JSON.stringify(circumstances)}`;
      let shared = runs.get(key);
      if (!shared) {
        const stop = new AbortController();
        const result = run(clip, wish, chosen, circumstances, AbortSignal.any([stop.signal, ending])).finally(() => forget(key, stop));
        result.catch(() => undefined); // the waiting callers report the error
        runs.set(key, (shared = { result, stop, waiting: 0 }));
      }
      shared.waiting++;
      try {
        return await untilAborted(shared.result, signal);
      } finally {
        // Aborts a transcription that no caller is waiting for any more, because it costs money.
        if (--shared.waiting === 0) {
          forget(key, shared.stop);
          shared.stop.abort(new Error('no caller is waiting any longer'));
        }
      }
    },
  };
}

async function isSilent({ path, wave }: Clip): Promise<boolean> {
  return wave !== undefined && (await hasSpeech(path, wave)) === false;
}

function silence({ wave }: Clip, { language = '' }: TranscriptionWish, engine: string): KeptTranscript {
  return { text: '', durationSec: wave?.seconds ?? null, language, cost: 0, engine };
}
