// Stores vectors in one file, with one byte per dimension: one line per vector, keyed by the hash of model and text.
import { jsonOf } from '#lib/values';
import { appendLine, readLines, stampOf } from '../note-disk.ts';

export interface Vector {
  readonly values: Int8Array;
  /** Euclidean length of the vector. */
  readonly length: number;
}

export interface VectorFile {
  load(): Promise<void>;
  has(key: string): boolean;
  get(key: string): Vector | undefined;
  add(rows: readonly (readonly [string, Vector])[]): Promise<void>;
  pack(values: readonly number[]): Vector;
}

/** Maximum size of the file in bytes; a larger file is replaced with a new one. */
const maxBytes = 128 * 1024 * 1024;

export function createVectorFile(path: string, remove: (path: string) => Promise<void>): VectorFile {
  const vectors = new Map<string, Vector>();
  let loading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const stamp = await stampOf(path);
    if (stamp && stamp.size > maxBytes) return remove(path);
    const part = await readLines(path, 0);
    for (const line of part?.lines ?? []) for (const [key, packed] of rowsIn(line)) vectors.set(key, packed);
  }

  return {
    load: () => (loading ??= read()),
    has: (key) => vectors.has(key),
    get: (key) => vectors.get(key),
    async add(rows) {
      for (const [key, vector] of rows) vectors.set(key, vector);
      const lines = rows.map(([key, { values }]) => JSON.stringify([key, Buffer.from(values.buffer, values.byteOffset, values.byteLength).toString('base64')]));
      await appendLine(path, lines.join('\n'), 0o600);
    },
    pack(values) {
      const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
      return measured(Int8Array.from(values, (value) => Math.round((value / largest) * 127)));
    },
  };
}

function rowsIn(line: string): [string, Vector][] {
  const row = jsonOf(line);
  // A crash truncated the row; its vector will be computed again.
  if (!Array.isArray(row) || typeof row[0] !== 'string' || typeof row[1] !== 'string') return [];
  return [[row[0], measured(new Int8Array(Buffer.from(row[1], 'base64')))]];
}

function measured(values: Int8Array): Vector {
  let sum = 0;
  for (const value of values) sum += value * value;
  return { values, length: Math.sqrt(sum) };
}
