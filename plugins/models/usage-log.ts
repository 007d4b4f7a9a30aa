// One line for each model call in `usage.jsonl`, read as a stream.
import { jsonOf } from 'agent-harness/lib/values';
import type { JournalStore, JournalWriter } from 'agent-harness/plugins/storage';
import type { UsageRow } from './contract.ts';

export interface UsageFilter {
  readonly since?: string;
  readonly chatId?: string;
}

export interface UsageLog {
  /** Written at the end of the pass of the event loop, so that the end of a turn does not wait for it. Never throws. */
  add(row: UsageRow): void;
  /** Writes what was added. Never throws: what could not be written goes to `onFault` and is tried again with the next row. */
  flush(): void;
  /** Oldest first, one at a time; lines that cannot be read are left out. */
  rows(filter?: UsageFilter): AsyncIterable<UsageRow>;
  close(): Promise<void>;
}

export function createUsageLog(store: JournalStore, path: string, onFault: (cause: unknown) => void): UsageLog {
  let unwritten = '';
  let writer: JournalWriter<never> | undefined;
  let scheduled: NodeJS.Immediate | undefined;

  function flush(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (unwritten === '') return;
    try {
      writer ??= store.open<never>(path, { onFault });
      if (!writer) throw new Error(`the folder of '${path}' is gone`);
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
    flush,
    async *rows(filter = {}) {
      flush();
      const since = normalise(filter.since);
      for await (const lines of store.read(path)) {
        for (const { text } of lines) {
          const row = parseRow(text);
          if (!row || (since !== undefined && row.at < since)) continue;
          if (filter.chatId !== undefined && row.chatId !== filter.chatId) continue;
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

/** Rows carry UTC, so that texts can be compared. */
function normalise(since: string | undefined): string | undefined {
  const time = since === undefined ? NaN : Date.parse(since);
  return Number.isNaN(time) ? since : new Date(time).toISOString();
}

function parseRow(line: string): UsageRow | undefined {
  // Torn by a crash, it is none.
  const row = jsonOf(line) as UsageRow | null | undefined;
  return typeof row?.at === 'string' ? row : undefined;
}
