// Tracks the turns that wait to retry a model request, and ends a wait on demand.
import type { ModelFault, ModelRequest, RetryWait } from './contract.ts';
import type { Clock, PlannedRetry } from './retry.ts';

export interface RetryWaits {
  /**
   * Waits `ms` milliseconds. Resolves with `true` if the wait was ended early. Rejects with the signal's reason.
   * @param wait entry for lists; omitted for an unlisted wait
   */
  pass(ms: number, signal: AbortSignal, wait?: RetryWait): Promise<boolean>;
  /** Lists the waits of one chat or of all chats. */
  list(chatId?: string): RetryWait[];
  /** Ends the waits of a chat. Returns whether it had any. */
  end(chatId: string): boolean;
}

export function createRetryWaits(clock: Clock): RetryWaits {
  const open = new Map<RetryWait, AbortController>();
  const list = (chatId?: string): RetryWait[] => [...open.keys()].filter((wait) => chatId === undefined || wait.chatId === chatId);
  return {
    async pass(ms, signal, wait) {
      const early = new AbortController();
      if (wait) open.set(wait, early);
      try {
        await clock.sleep(ms, wait ? AbortSignal.any([signal, early.signal]) : signal);
        return false;
      } catch (cause) {
        signal.throwIfAborted();
        if (early.signal.aborted) return true;
        throw cause;
      } finally {
        if (wait) open.delete(wait);
      }
    },
    list,
    end(chatId) {
      const ended = list(chatId);
      for (const wait of ended) open.get(wait)?.abort('early');
      return ended.length > 0;
    },
  };
}

/** Returns the list entry of a wait; `undefined` for requests that do not belong to a turn. */
export function waitOf(
  { chatId, turnId, purpose }: Pick<ModelRequest, 'chatId' | 'turnId' | 'purpose'>,
  { kind, message }: ModelFault,
  { attempt, of, delayMs }: PlannedRetry,
): RetryWait | undefined {
  if (chatId === undefined || turnId === undefined || purpose !== 'chat') return undefined;
  const until = new Date(Date.now() + delayMs).toISOString();
  return { chatId, turnId, attempt, of, reason: message, isLimit: kind === 'rate_limit', until };
}
