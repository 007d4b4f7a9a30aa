// Writes JSON lines to a file in the background, with a buffer and a maximum file size.
import { appendFile, open, rename, stat } from 'node:fs/promises';
import { createSerialQueue } from '#lib/async';
import { isMissing } from '#lib/errors';
import type { LineFile, LineFileOptions } from 'agent-harness/plugins/storage';

/** Maximum number of buffered lines while writing fails; the oldest are dropped. */
const maxWaiting = 1_000;

export function createLineFile({ path, fullPath, maxBytes, onFault }: LineFileOptions): LineFile {
  let waiting: string[] = [];
  const queue = createSerialQueue();

  async function write(): Promise<void> {
    if (waiting.length === 0) return;
    const lines = waiting;
    waiting = [];
    const text = lines.join('');
    try {
      const bytes = await sizeOf(path);
      const isFull = bytes > 0 && bytes + Buffer.byteLength(text) > maxBytes;
      if (isFull) await rename(path, fullPath);
      const needsBreak = !isFull && bytes > 0 && !(await endsWithBreak(path, bytes));
      await appendFile(path, needsBreak ? `\n${text}` : text, { mode: 0o600 });
    } catch (cause) {
      waiting = [...lines, ...waiting].slice(-maxWaiting);
      onFault(cause);
    }
  }

  return {
    add(line) {
      waiting.push(`${JSON.stringify(line)}\n`);
      if (waiting.length > maxWaiting) waiting.shift();
    },
    flush: () => queue.run(write),
  };
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (fault) {
    if (isMissing(fault)) return 0;
    throw fault;
  }
}

/** Returns whether the file ends with a line break; if not, a process was killed while it wrote a line. */
async function endsWithBreak(path: string, bytes: number): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, bytes - 1);
    return buffer[0] === 0x0a;
  } finally {
    await file.close();
  }
}
