// Runs background work of the vault after turns. The work ends when its chat ends or the plugin unloads.

export interface Jobs {
  /** Starts work. Contract: `work` ends soon after its signal is aborted. */
  start(chatId: string, work: (signal: AbortSignal) => Promise<void>): void;
  /** Aborts the work of a chat. Resolves when it has ended. */
  end(chatId: string): Promise<void>;
  /** Resolves when no work is running. */
  settled(): Promise<void>;
}

export function createJobs(unloading: AbortSignal, onFault: (fault: unknown) => void): Jobs {
  const running = new Map<Promise<void>, { readonly chatId: string; readonly abort: AbortController }>();
  return {
    start(chatId, work) {
      const abort = new AbortController();
      const signal = AbortSignal.any([abort.signal, unloading]);
      const job: Promise<void> = work(signal)
        .catch((fault: unknown) => {
          if (!signal.aborted) onFault(fault);
        })
        .finally(() => running.delete(job));
      running.set(job, { chatId, abort });
    },
    async end(chatId) {
      const own = [...running].filter(([, one]) => one.chatId === chatId);
      for (const [, { abort }] of own) abort.abort();
      await Promise.all(own.map(([job]) => job));
    },
    settled: async () => void (await Promise.all(running.keys())),
  };
}
