// Defines the backup format of a control plane. A line that starts with `#` describes the rows that follow; every other line is a row in JSON.
import { createHash, type Hash } from 'node:crypto';
import type { Step } from './migrate.ts';

export interface BackupHead {
  readonly format: 'agent-harness control plane backup';
  readonly formatVersion: 1;
  /** Version of the program that created the backup. */
  readonly version: string;
  /** ISO 8601. */
  readonly at: string;
  readonly database: { readonly kind: string; readonly version: string };
  /** Applied migrations; a program that lacks one of them cannot read the backup. */
  readonly migrations: readonly Step[];
}

export type BackupMark =
  | { readonly head: BackupHead }
  | { readonly table: string; readonly columns: readonly string[] }
  | { readonly rows: number; readonly of: string }
  | { readonly sequences: readonly { readonly name: string; readonly last: string; readonly isCalled: boolean }[] }
  /** SHA-256 over all previous lines. */
  | { readonly end: string };

export const formatName: BackupHead['format'] = 'agent-harness control plane backup';

/** Writes lines and computes a checksum over them. */
export function createBackupWriter(write: (text: string) => Promise<void>): {
  mark(mark: BackupMark): Promise<void>;
  row(json: string): Promise<void>;
  end(): Promise<void>;
} {
  const sum = createHash('sha256');
  const put = (line: string): Promise<void> => {
    const text = `${line}\n`;
    sum.update(text);
    return write(text);
  };
  return {
    mark: (mark) => put(`#${JSON.stringify(mark)}`),
    row: (json) => put(json),
    end: () => write(`#${JSON.stringify({ end: sum.digest('hex') })}\n`),
  };
}

export type BackupLine = { readonly mark: BackupMark } | { readonly row: string };

/** Reads the lines of a backup. Throws an error with a readable message if the text is not a complete backup. */
export async function* readBackup(lines: AsyncIterable<string>): AsyncIterable<BackupLine> {
  const sum = createHash('sha256');
  let isFirst = true;
  let isWhole = false;
  for await (const line of lines) {
    if (isWhole) throw new Error('it has lines after its end');
    const read = readLine(line);
    if (isFirst && !('mark' in read && 'head' in read.mark && read.mark.head.format === formatName)) throw new Error('it is not a backup of a control plane');
    isFirst = false;
    if ('mark' in read && 'end' in read.mark) {
      checkSum(sum, read.mark.end);
      isWhole = true;
      continue;
    }
    sum.update(`${line}\n`);
    yield read;
  }
  if (!isWhole) throw new Error('its end is missing');
}

function readLine(line: string): BackupLine {
  if (!line.startsWith('#')) return { row: line };
  try {
    return { mark: JSON.parse(line.slice(1)) as BackupMark };
  } catch {
    throw new Error('it is not a backup of a control plane, or it was changed');
  }
}

function checkSum(sum: Hash, expected: string): void {
  if (sum.digest('hex') !== expected) throw new Error('its checksum is wrong, so it was changed or truncated');
}
