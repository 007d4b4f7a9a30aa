// A scripted speech engine, registered as a plugin, that records its requests.
import { waveHead } from '#lib/sound';
import type { PluginModule } from 'agent-harness/kernel';
import type { SpeechRequest } from 'agent-harness/builtins/voice/audio-engines';

export interface ScriptedEngine {
  readonly module: PluginModule<never>;
  readonly requests: SpeechRequest[];
  readonly texts: string[];
  readonly signals: AbortSignal[];
  /** `before` delays the first audio chunk, `between` the last one. */
  before: (text: string) => Promise<unknown> | undefined;
  between: (text: string) => Promise<unknown> | undefined;
  fault: (text: string) => Error | undefined;
  cost: number | null;
  sound: (text: string) => Buffer;
}

const rate = 8_000;

/** Silence of the given duration in seconds, with a WAV header of unknown length. */
export function wave(seconds: number): Buffer {
  return Buffer.concat([waveHead(rate), Buffer.alloc(Math.round(seconds * rate) * 2)]);
}

/** Returns 0.1 s per ten characters. */
export const secondsFor = (text: string): number => Math.ceil(text.length / 10) / 10;

export function createScriptedEngine(): ScriptedEngine {
  const engine: ScriptedEngine = {
    requests: [],
    texts: [],
    signals: [],
    before: () => undefined,
    between: () => undefined,
    fault: () => undefined,
    cost: 0.001,
    sound: (text) => wave(secondsFor(text)),
    module: {
      manifest: { name: 'test-voice', requires: ['audioEngines'] },
      register(registry: { add(point: string, item: object): void }) {
        registry.add('audio_engine', {
          ...{ kind: 'speech', name: 'scripted', title: 'Scripted', place: 'here', rank: 1 },
          state: () => ({ isUsable: true }),
          load: () => Promise.resolve({ synthesize }),
        });
      },
    } as unknown as PluginModule<never>,
  };

  function synthesize(request: SpeechRequest, signal: AbortSignal): Promise<object> {
    engine.requests.push(request);
    engine.texts.push(request.text);
    engine.signals.push(signal);
    const fault = engine.fault(request.text);
    if (fault) return Promise.reject(fault);
    return Promise.resolve({ mimeType: 'audio/wav', audio: sound(request.text, signal), cost: () => engine.cost });
  }

  async function* sound(text: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const bytes = engine.sound(text);
    await orAborted(engine.before(text), signal);
    yield bytes.subarray(0, 60);
    await orAborted(engine.between(text), signal);
    yield bytes.subarray(60);
  }
  return engine;
}

async function orAborted(wait: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  if (!wait) return;
  await Promise.race([wait, new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))]);
}
