// Runs flite with a file for the text, because flite cannot open a pipe of this process, and a file for the audio, because flite rewrites the header at
// the end.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SpeechEngine } from 'agent-harness/builtins/voice/audio-engines';
import { runProgram, type ProgramParts } from '../run-program.ts';

const voices = ['slt', 'awb', 'rms', 'kal16', 'kal'];

export function createFlite(find: () => Promise<string | undefined>, parts: ProgramParts): SpeechEngine {
  async function* speak(text: string, voice: string, speed: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const path = await find();
    if (path === undefined) throw parts.makeError('PROGRAM_FAILED', { program: 'flite', why: 'it is no longer installed' });
    const folder = await mkdtemp(join(tmpdir(), 'speech-'));
    const words = join(folder, 'words.txt');
    const file = join(folder, 'speech.wav');
    try {
      await writeFile(words, text, { mode: 0o600 });
      const args = ['-voice', voice, '--setf', `duration_stretch=${(1 / speed).toFixed(3)}`, '-f', words, '-o', file];
      for await (const _ of runProgram({ path, args, input: '' }, parts, signal)) void _;
      yield await readFile(file);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  return {
    voices: () => Promise.resolve(voices.map((id) => ({ id, title: id, language: 'en' }))),
    synthesize({ text, voice, speed = 1 }, signal) {
      const known = voices.includes(voice) ? voice : 'slt';
      const audio = speak(text, known, Math.min(4, Math.max(0.25, speed)), signal);
      return Promise.resolve({ mimeType: 'audio/wav', audio, cost: () => 0 });
    },
  };
}
