// Runs pocketsphinx, which transcribes basic English without a separate model.
import type { Segment, TranscriptionEngine } from 'agent-harness/builtins/voice/audio-engines';
import { createSerialQueue } from '#lib/async';
import { outputOf } from './output-of.ts';
import type { ListeningParts } from './parts.ts';
import { withPlainWave } from './plain-wave.ts';

const program = 'pocketsphinx';
const listenMs = 15 * 60_000;
const longestOutput = 4 * 1024 * 1024;

export function createPocketsphinx(parts: ListeningParts, find: () => Promise<string | undefined>): TranscriptionEngine {
  // Runs are serialised, because each uses a whole core.
  const queue = createSerialQueue();

  return {
    transcribe: ({ sound, language = 'en', timestamps }, signal) =>
      queue.run(async () => {
        signal.throwIfAborted();
        if (!/^en(-|$)/i.test(language)) throw parts.refuse('LANGUAGE', { program, language });
        const file = await find();
        if (file === undefined) throw parts.makeError('PROGRAM_FAILED', { program, why: 'it is no longer installed' });
        return withPlainWave(sound, program, parts, signal, async (path) => {
          const args = ['-infile', path, '-logfn', process.platform === 'win32' ? 'NUL' : '/dev/null', '-time', 'yes'];
          const heard = readWords(await outputOf(file, args, { ms: listenMs, maxBytes: longestOutput }, parts, signal));
          return {
            text: heard.map(({ text }) => text).join(' '),
            ...{ language: 'en', cost: 0 },
            ...(timestamps === 'none' ? {} : { segments: heard }),
          };
        });
      }),
  };
}

/** Parses the words. Each line contains a word, its times and its confidence; brackets mark silence and noise. */
function readWords(text: string): Segment[] {
  return text.split('\n').flatMap((line): Segment[] => {
    const [word = '', start, end, sure] = line.trim().split(/\s+/);
    if (sure === undefined || /^[<[+]/.test(word)) return [];
    const [from, to] = [Number(start), Number(end)];
    return Number.isFinite(from) && Number.isFinite(to) ? [{ start: from, end: to, text: word.replace(/\(\d+\)$/, '') }] : [];
  });
}
