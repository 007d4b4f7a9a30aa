// One line for each model call in `usage.jsonl`, read as a stream.
import { jsonOf } from 'agent-harness/lib/values';
import type { JournalStore, JournalWriter } from 'agent-harness/plugins/storage';
import type { UsageFilter, UsageRow } from './contract.ts';

/** A line of the log: a call that ended, money that is held for one that goes on, or that is held no longer. */
export interface UsageLine extends UsageRow {
  /** USD; the line is no call. */
  readonly held?: number;
  /** Which hold the line begins or ends. */
  readonly hold?: string;
  /** It ends a hold for nothing; the line is no call. */
  readonly isFreed?: true;
}

export interface UsageLog {
  /** Written at the end of the pass of the event loop, so that the end of a turn does not wait for it. Never throws. */
  add(row: UsageRow): void;
  /** Written when it returns, as far as the disk takes it. Never throws. */
  hold(line: Pick<UsageLine, 'at' | 'purpose' | 'model' | 'held' | 'hold' | 'isFreed' | 'chatId'>): void;
  /** Writes what was added. Never throws: what could not be written goes to `onFault` and is tried again with the next row. */
  flush(): void;
  /** Oldest first, one at a time; lines that cannot be read are left out. */
  rows(filter?: UsageFilter): AsyncIterable<UsageRow>;
  /** All lines that were added before it was asked for, the newest first. */
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

/** Who asked: the agent where nobody else is named. */
export function pluginOf({ plugin = 'agent' }: UsageRow): string {
  return plugin;
}

/** Rows carry UTC, so that texts can be compared. */
function normalise(since: string | undefined): string | undefined {
  const time = since === undefined ? NaN : Date.parse(since);
  return Number.isNaN(time) ? since : new Date(time).toISOString();
}

function parseLine(text: string): UsageLine | undefined {
  // Torn by a crash, it is none.
  const line = jsonOf(text) as UsageLine | null | undefined;
  return typeof line?.at === 'string' ? line : undefined;
}
