// Appends one line per model call to the file `usage.jsonl`, and reads the file as a stream.
import { jsonOf } from '#lib/values';
import type { JournalStore, JournalWriter } from 'agent-harness/plugins/storage';
import type { UsageFilter, UsageRow } from './contract.ts';

/** A line of the log: a finished call, the reservation for a running call, or the release of a reservation. */
export interface UsageLine extends UsageRow {
  /** Reserved amount in USD; if set, the line is not a call. */
  readonly held?: number;
  /** Id of the reservation that the line starts or ends. */
  readonly hold?: string;
  /** Whether the line releases a reservation without cost; if set, the line is not a call. */
  readonly isFreed?: true;
}

export interface UsageLog {
  /** Adds a row. The row is written later in the same iteration of the event loop, because the end of a turn must not wait for the disk. Never throws. */
  add(row: UsageRow): void;
  /** Writes a reservation before it returns, unless the disk fails. Never throws. */
  hold(line: Pick<UsageLine, 'at' | 'purpose' | 'model' | 'held' | 'hold' | 'isFreed' | 'chatId'>): void;
  /** Writes pending rows. Never throws: reports a failure to `onFault` and retries the rows with the next one. */
  flush(): void;
  /** Yields rows oldest first, one at a time; skips unreadable lines. */
  rows(filter?: UsageFilter): AsyncIterable<UsageRow>;
  /** Yields all lines added before the call, newest first. */
  history(): AsyncIterable<UsageLine>;
  close(): Promise<void>;
}

export function createUsageLog(store: JournalStore, path: string, onFault: (cause: unknown) => void): UsageLog {
  let unwritten = '';
  let writer: JournalWriter<never> | undefined;
  let scheduled: NodeJS.Immediate | undefined;
  let isMeasuring = false;

  function flush(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (unwritten === '' || isMeasuring) return;
    try {
      writer ??= store.open<never>(path, { onFault });
      if (!writer) throw new Error(`the folder of '${path}' does not exist`);
      writer.append(unwritten);
      unwritten = '';
    } catch (cause) {
      onFault(cause);
    }
  }

  return {
    add(row) {
      unwritten += `${JSON.stringify(row)}\n`;
      scheduled ??= setImmediate(flush);
    },
    hold(line) {
      unwritten += `${JSON.stringify(line)}\n`;
      flush();
    },
    flush,
    async *history() {
      flush();
      isMeasuring = true;
      let end: number | undefined;
      try {
        end = await store.size(path);
      } finally {
        isMeasuring = false;
        flush();
      }
      if (end === undefined) return;
      for await (const { text } of store.readBackwards(path, end)) {
        const line = parseLine(text);
        if (line) yield line;
      }
    },
    async *rows(filter = {}) {
      flush();
      const since = normalise(filter.since);
      for await (const lines of store.read(path)) {
        for (const { text } of lines) {
          const row = parseLine(text);
          if (!row || row.held !== undefined || row.isFreed === true || (since !== undefined && row.at < since)) continue;
          if (filter.chatId !== undefined && row.chatId !== filter.chatId) continue;
          if (filter.turnId !== undefined && row.turnId !== filter.turnId) continue;
          if (filter.purpose !== undefined && row.purpose !== filter.purpose) continue;
          if (filter.plugin !== undefined && pluginOf(row) !== filter.plugin) continue;
          if (filter.model !== undefined && row.model !== filter.model) continue;
          yield row;
        }
      }
    },
    async close() {
      flush();
      await writer?.close();
    },
  };
}

/** Returns the name of the calling plugin; `agent` if the row contains none. */
export function pluginOf({ plugin = 'agent' }: UsageRow): string {
  return plugin;
}

/** Converts a time to UTC, because the times of rows are compared as strings. */
function normalise(since: string | undefined): string | undefined {
  const time = since === undefined ? NaN : Date.parse(since);
  return Number.isNaN(time) ? since : new Date(time).toISOString();
}

function parseLine(text: string): UsageLine | undefined {
  // Skips a line that was truncated by a crash.
  const line = jsonOf(text) as UsageLine | null | undefined;
  return typeof line?.at === 'string' ? line : undefined;
}
