// Tests the selection of an audio engine: the first usable one or the configured one, and the error when none is usable.
import { expect, test } from 'vitest';
import type { AudioEngine, EngineState } from 'agent-harness/builtins/voice/audio-engines';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

const missing: EngineState = { isUsable: false, code: 'not_installed', reason: 'Install it.' };

function ear(name: string, rank: number, state: () => EngineState = () => ({ isUsable: true })): AudioEngine<'transcription'> {
  const load = async (): Promise<{ transcribe(): Promise<{ text: string; language: string; cost: number }> }> => ({
    transcribe: async () => ({ text: `heard by ${name}`, language: 'en', cost: 0 }),
  });
  return { kind: 'transcription', name, title: `The ${name}`, place: rank < 20 ? 'provider' : 'here', rank, state, load, goesTo: () => 'ears.example' };
}

function plugin(...engines: AudioEngine[]): any {
  return {
    register(registry: any) {
      for (const engine of engines) registry.add('audio_engine', engine);
    },
  };
}

const open = (modules: Record<string, any>, environment: Record<string, string> = {}): Promise<Harness> =>
  startHarness({ builtins: ['audio-engines', 'model-demo'], modules, environment });

test('selects the first usable engine and reports where the audio is sent', async () => {
  let isFar = false;
  const far = ear('far', 10, () => (isFar ? { isUsable: true } : { isUsable: false, code: 'no_key', reason: 'Set a key.' }));
  const { kernel, call } = await open({
    ears: plugin(
      ear('near', 20),
      ear('broken', 15, () => missing),
      far,
    ),
  });
  const engines = kernel.resolve('audioEngines');
  const first = await engines.engine('transcription');
  expect([first.info.name, await engines.inUse('speech')]).toEqual(['near', undefined]);
  isFar = true;
  expect((await engines.engine('transcription')).info).toMatchObject({ name: 'far', place: 'provider', goesTo: 'ears.example', plugin: 'ears' });
  const { status, body } = await call('GET', '/api/audio/engines');
  expect(status).toBe(200);
  expect(body.transcription.inUse).toBe('far');
  expect(body.transcription.engines).toEqual([
    { name: 'far', title: 'The far', plugin: 'ears', place: 'provider', goesTo: 'ears.example', isUsable: true },
    {
      name: 'broken',
      title: 'The broken',
      plugin: 'ears',
      place: 'provider',
      goesTo: 'ears.example',
      isUsable: false,
      code: 'not_installed',
      reason: 'Install it.',
    },
    { name: 'near', title: 'The near', plugin: 'ears', place: 'here', isUsable: true },
  ]);
  expect(body.speech).toEqual({ inUse: null, engines: [] });
});

test('does not replace an unusable configured engine with another one', async () => {
  const { kernel } = await open(
    {
      ears: plugin(
        ear('far', 10),
        ear('near', 20, () => missing),
      ),
    },
    { AGENT_TRANSCRIBE_ENGINE: 'near' },
  );
  await expect(kernel.resolve('audioEngines').engine('transcription')).rejects.toMatchObject({
    ...{ code: 'AUDIO_ENGINES_ERR_NO_ENGINE', status: 503 },
    message: 'No engine on this server can transcribe speech now. The near: Install it.',
  });
});

test('reports that no engine is installed, and names a configured engine that does not exist', async () => {
  const { kernel } = await open({}, { AGENT_TTS_ENGINE: 'parrot' });
  const engines = kernel.resolve('audioEngines');
  await expect(engines.engine('transcription')).rejects.toThrow('No engine is installed.');
  await expect(engines.engine('speech')).rejects.toThrow("There is no engine 'parrot'; AGENT_TTS_ENGINE can also be 'auto'.");
});

test('reports two plugins that contribute an engine of the same name', async () => {
  const { kernel } = await open({ one: plugin(ear('near', 20)), two: plugin(ear('near', 30)) });
  expect(JSON.stringify(kernel.resolve('kernel').report().plugins)).toContain("the engine 'near' for transcription comes from 'one' and from 'two'");
});
