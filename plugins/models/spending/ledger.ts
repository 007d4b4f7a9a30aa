// Sums today's cost of model calls by purpose, and the cost of each chat: reads the usage log once, then adds each call.
import type { UsageLog, UsageLine } from '../usage-log.ts';
import type { UsageRow } from '../contract.ts';
import { localDay } from '#lib/local-day';

export interface Ledger {
  /** Resolves when the log has been read. Rejects if it cannot be read; the next call tries again. */
  ready(): Promise<void>;
  /** Returns the USD spent today. @param counts returns whether to include a purpose */
  today(counts: (purpose: string) => boolean): number;
  /** Returns the USD spent in a chat since its beginning. */
  inChat(chatId: string): number;
  /** Adds a row of the usage log. */
  add(row: Pick<UsageRow, 'at' | 'purpose' | 'chatId' | 'cost' | 'estimate'>): void;
}

export function createLedger(usageLog: Pick<UsageLog, 'history'>, now: () => Date = () => new Date()): Ledger {
  let day = '';
  /** USD spent today by purpose. */
  const byPurpose = new Map<string, number>();
  const byChat = new Map<string, number>();
  let loading: Promise<void> | undefined;

  function turnDay(): void {
    const current = localDay(now());
    if (current === day) return;
    day = current;
    byPurpose.clear();
  }

  function count({ at, purpose, chatId }: Pick<UsageRow, 'at' | 'purpose' | 'chatId'>, usd: number): void {
    turnDay();
    if (usd === 0) return;
    if (localDay(new Date(at)) === day) byPurpose.set(purpose, (byPurpose.get(purpose) ?? 0) + usd);
    if (chatId !== undefined) byChat.set(chatId, (byChat.get(chatId) ?? 0) + usd);
  }

  async function load(): Promise<void> {
    byPurpose.clear();
    byChat.clear();
    const settled = new Set<string>();
    for await (const line of usageLog.history()) {
      if (line.held === undefined) {
        if (line.hold !== undefined) settled.add(line.hold);
        if (line.isFreed !== true) count(line, spentBy(line));
        // Lines are read newest first. A reservation with no closing entry belongs to a call that was running when its process died, and that may have been billed.
      } else if (line.hold === undefined || !settled.has(line.hold)) count(line, line.held);
    }
  }

  return {
    ready: () =>
      (loading ??= load().catch((fault: unknown) => {
        loading = undefined;
        throw fault;
      })),
    today(counts) {
      turnDay();
      let sum = 0;
      for (const [purpose, usd] of byPurpose) if (counts(purpose)) sum += usd;
      return sum;
    },
    inChat: (chatId) => byChat.get(chatId) ?? 0,
    add(row) {
      // Adds nothing before the log has been read, because the read will include the row.
      if (loading) count(row, spentBy(row));
    },
  };
}

function spentBy({ cost, estimate = 0 }: Pick<UsageLine, 'cost' | 'estimate'>): number {
  return cost ?? estimate;
}
