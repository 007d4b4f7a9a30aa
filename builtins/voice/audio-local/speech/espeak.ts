// Runs espeak-ng, which reads text from a pipe and streams WAV to another pipe.
import type { SpeechEngine, Voice } from 'agent-harness/builtins/voice/audio-engines';
import { runProgram, type ProgramParts } from '../run-program.ts';

/** Words per minute at normal speed. */
const ownSpeed = 175;
const fallback = 'en-us';
/** Languages of voices with names such as `af_sky`: the first letter is the language, the second the gender. */
const languages: Readonly<Record<string, string>> = { a: 'en-us', b: 'en-gb', e: 'es', f: 'fr-fr', h: 'hi', i: 'it', j: 'ja', p: 'pt-br', z: 'cmn' };

export function createEspeak(find: () => Promise<string | undefined>, parts: ProgramParts): SpeechEngine {
  let listed: Promise<readonly Voice[]> | undefined;

  async function pathOf(): Promise<string> {
    const path = await find();
    if (path === undefined) throw parts.makeError('PROGRAM_FAILED', { program: 'espeak-ng', why: 'it is no longer installed' });
    return path;
  }

  async function list(): Promise<readonly Voice[]> {
    const run = { path: await pathOf(), args: ['--voices'], input: '' };
    let text = '';
    for await (const piece of runProgram(run, parts, AbortSignal.timeout(10_000))) text += piece.toString();
    return readVoices(text);
  }

  const voices = (): Promise<readonly Voice[]> =>
    (listed ??= list().catch((fault: unknown) => {
      listed = undefined;
      throw fault;
    }));

  async function voiceOf(wanted: string): Promise<string> {
    const [, letter = '', gender] = /^([a-z])([fm])_[a-z]+$/.exec(wanted) ?? [];
    const language = languages[letter];
    if (language !== undefined) return gender === 'f' ? `${language}+f3` : language;
    const [name = '', variant] = wanted.toLowerCase().split('+', 2);
    const found = (await voices().catch(() => [])).find(({ id, title }) => id === name || title.toLowerCase() === name);
    if (!found) return fallback;
    return variant !== undefined && /^[fm]\d$/.test(variant) ? `${found.id}+${variant}` : found.id;
  }

  return {
    voices,
    async synthesize({ text, voice, speed = 1 }, signal) {
      const path = await pathOf();
      const words = String(Math.round(Math.min(4, Math.max(0.25, speed)) * ownSpeed));
      const args = ['--stdin', '--stdout', '-b', '1', '-s', words, '-v', await voiceOf(voice)];
      // Removes double brackets, which start espeak's phoneme notation.
      const run = { path, args, input: text.replaceAll('[[', '[ [') };
      return { mimeType: 'audio/wav', audio: runProgram(run, parts, signal), cost: () => 0 };
    },
  };
}

/** Parses the voices. Columns: priority, language, age and gender, name, file. */
function readVoices(text: string): Voice[] {
  return text
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, id, , title] = /^\s*\d+\s+(\S+)\s+(\S+)\s+(\S+)/.exec(line) ?? [];
      return id === undefined || title === undefined ? [] : [{ id, title: title.replaceAll('_', ' '), language: id }];
    });
}
