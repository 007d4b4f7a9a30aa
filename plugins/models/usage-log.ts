// One line for each model call in `usage.jsonl`, read as a stream.
import { appendFileSync, createReadStream, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isMissing } from 'agent-harness/lib/errors';
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
}

export function createUsageLog(path: string, onFault: (cause: unknown) => void): UsageLog {
  let unwritten = '';
  let isOpened = false;
  let scheduled: NodeJS.Immediate | undefined;

  function flush(): void {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (unwritten === '') return;
    try {
      if (!isOpened && hasContent(path)) unwritten = `\n${unwritten}`;
      isOpened = true;
      appendFileSync(path, unwritten, { mode: 0o600 });
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
      const input = createReadStream(path, 'utf8');
      try {
        for await (const line of createInterface({ input, crlfDelay: Infinity })) {
          const row = parseRow(line);
          if (!row || (since !== undefined && row.at < since)) continue;
          if (filter.chatId !== undefined && row.chatId !== filter.chatId) continue;
          yield row;
        }
      } catch (cause) {
        if (!isMissing(cause)) throw cause;
      } finally {
        input.destroy();
      }
    },
  };
}

/** A process that died while writing may have left half a line; ours must not be glued to it. */
function hasContent(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
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
