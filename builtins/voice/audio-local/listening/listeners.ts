// Lists the transcription programs in the order in which they are tried.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { AudioEngine } from 'agent-harness/builtins/voice/audio-engines';
import type { ListeningParts } from './parts.ts';

export const whisperNames = ['whisper-cli'];
export const sphinxNames = ['pocketsphinx_continuous'];

export function listeners(parts: ListeningParts): readonly AudioEngine<'transcription'>[] {
  const { settings, programs, models } = parts;
  const whisperModel = (): string | undefined => modelIn(settings.whisperModel, models);

  return [
    {
      ...{ kind: 'transcription', name: 'whisper', title: 'whisper.cpp', place: 'here', rank: 20 },
      async state() {
        const found = await programs.state(whisperNames, 'whisper.cpp (the program whisper-cli)');
        if (!found.isUsable || whisperModel() !== undefined) return found;
        return { isUsable: false, code: 'not_installed', reason: `Set AGENT_WHISPER_MODEL to a model file (ggml-….bin), or put one into ${models}.` };
      },
      variant: () => whisperModel() ?? '',
      load: async () => (await import('./whisper.ts')).createWhisper(parts, () => programs.find(whisperNames), whisperModel),
    },
    {
      ...{ kind: 'transcription', name: 'pocketsphinx', title: 'pocketsphinx', place: 'here', rank: 30 },
      state: () => programs.state(sphinxNames, 'pocketsphinx with its English model (pocketsphinx, pocketsphinx-en-us)'),
      load: async () => (await import('./pocketsphinx.ts')).createPocketsphinx(parts, () => programs.find(sphinxNames)),
    },
  ];
}

/** Returns the configured file, or the first model in the folder. */
function modelIn(named: string, folder: string): string | undefined {
  if (named.trim() !== '') return existsSync(named.trim()) ? named.trim() : undefined;
  try {
    const name = readdirSync(folder)
      .sort()
      .find((one) => /^ggml-.*\.bin$/.test(one));
    return name === undefined ? undefined : join(folder, name);
  } catch {
    return undefined; // the folder does not exist
  }
}
