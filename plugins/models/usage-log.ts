// One line for each model call in `usage.jsonl`: written behind, read as a stream.
import { createReadStream } from 'node:fs';
import { appendFile, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { UsageRow } from './contract.ts';

export interface UsageFilter {
  readonly since?: string;
  readonly chatId?: string;
}

export interface UsageLog {
  /** Never throws and never waits. */
  add(row: UsageRow): void;
  /** Resolves when everything added is in the file; faults went to `onFault`. */
  flush(): Promise<void>;
  /** Oldest first, one at a time; lines that cannot be read are left out. */
  rows(filter?: UsageFilter): AsyncIterable<UsageRow>;
}

export function createUsageLog(path: string, onFault: (cause: unknown) => void): UsageLog {
  let buffered = '';
  let writing: Promise<void> | undefined;
  let isOpened = false;

  /** While one write is under way, further rows wait together for the next. */
  async function write(): Promise<void> {
    try {
      while (buffered !== '') {
        if (!isOpened) await endTornLine();
        const text = buffered;
        buffered = '';
        await appendFile(path, text, { mode: 0o600 });
      }
    } catch (cause) {
      onFault(cause);
    } finally {
      writing = undefined;
    }
  }

  /** A process that died while writing left half a line; ours must not be glued to it. */
  async function endTornLine(): Promise<void> {
    isOpened = true;
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    if (size > 0) buffered = `\n${buffered}`;
  }

  return {
    add(row) {
      buffered += `${JSON.stringify(row)}\n`;
      writing ??= write();
    },
    async flush() {
      await writing;
    },
    async *rows(filter = {}) {
      await writing;
      const since = normalise(filter.since);
      const input = createReadStream(path, 'utf8');
      try {
        for await (const line of createInterface({ input, crlfDelay: Infinity })) {
          const row = parseRow(line);
          if (!row || (since !== undefined && row.at < since)) continue;
          if (filter.chatId !== undefined && row.chatId !== filter.chatId) continue;
          yield row;
        }
      } catch (cause) {
        if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
      } finally {
        input.destroy();
      }
    },
  };
}

/** Rows carry UTC, so that texts can be compared. */
function normalise(since: string | undefined): string | undefined {
  const time = since === undefined ? NaN : Date.parse(since);
  return Number.isNaN(time) ? since : new Date(time).toISOString();
}

function parseRow(line: string): UsageRow | undefined {
  if (line === '') return undefined;
  try {
    const row = JSON.parse(line) as UsageRow;
    return typeof row.at === 'string' ? row : undefined;
  } catch {
    return undefined; // torn by a crash
  }
}
