// Runs whisper.cpp, which transcribes many languages with an installed model.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Segment, TranscriptionEngine } from 'agent-harness/builtins/voice/audio-engines';
import { createSerialQueue } from '#lib/async';
import { isRecord, recordIn } from '#lib/values';
import { oneLine } from '#lib/text';
import { outputOf } from './output-of.ts';
import type { ListeningParts } from './parts.ts';
import { withPlainWave } from './plain-wave.ts';

const program = 'whisper.cpp';
const longestOutput = 4 * 1024 * 1024;
const listenMs = 30 * 60_000;

export function createWhisper(parts: ListeningParts, find: () => Promise<string | undefined>, model: () => string | undefined): TranscriptionEngine {
  const queue = createSerialQueue();
  const failed = (why: string): Error => parts.makeError('PROGRAM_FAILED', { program, why });

  return {
    transcribe: ({ sound, language, prompt, timestamps }, signal) =>
      queue.run(async () => {
        signal.throwIfAborted();
        const [file, modelFile] = [await find(), model()];
        if (file === undefined || modelFile === undefined) throw failed('the program or its model no longer exists');
        return withPlainWave(sound, program, parts, signal, async (path, folder) => {
          const made = join(folder, 'text');
          const args = [
            ...['-m', modelFile, '-f', path, '-l', language?.split('-', 1)[0]?.toLowerCase() ?? 'auto', '-oj', '-of', made, '-np'],
            ...(prompt === undefined ? [] : ['--prompt', prompt]),
            ...(timestamps === 'word' ? ['-ml', '1', '-sow'] : []),
          ];
          await outputOf(file, args, { ms: listenMs, maxBytes: longestOutput }, parts, signal);
          const text = await readFile(`${made}.json`, 'utf8').catch(() => undefined);
          if (text === undefined) throw failed('it wrote no output');
          const { result, transcription } = recordIn(text);
          const segments = segmentsIn(transcription);
          return {
            text: oneLine(segments.map((one) => one.text).join(' ')),
            language: isRecord(result) && typeof result['language'] === 'string' ? result['language'] : (language ?? ''),
            cost: 0,
            ...(timestamps === 'none' ? {} : { segments }),
          };
        });
      }),
  };
}

/** Parses the segments, whose times whisper.cpp reports in milliseconds. */
function segmentsIn(transcription: unknown): Segment[] {
  if (!Array.isArray(transcription)) return [];
  return (transcription as readonly unknown[]).flatMap((entry): Segment[] => {
    if (!isRecord(entry) || !isRecord(entry['offsets']) || typeof entry['text'] !== 'string') return [];
    const { from, to } = entry['offsets'];
    const text = entry['text'].trim();
    return typeof from === 'number' && typeof to === 'number' && text !== '' ? [{ start: from / 1000, end: to / 1000, text }] : [];
  });
}
