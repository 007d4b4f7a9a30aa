// Reads the usage of a chat in the background, debounced.
import type { ApiCall } from './api.ts';
import type { ChatState } from './state.ts';

export interface UsageReader {
  readSoon(): void;
  close(): void;
}

export interface UsageReaderParts {
  readonly chatId: string;
  readonly call: ApiCall;
  /** Returns whether this client may read the cost of a chat; resolves once its rights are known. */
  mayRead(): Promise<boolean>;
  onRead(usage: NonNullable<ChatState['usage']>): void;
}

const delayMs = 400;

export function createUsageReader({ chatId, call, mayRead, onRead }: UsageReaderParts): UsageReader {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;

  async function read(): Promise<void> {
    if (!(await mayRead()) || isClosed) return;
    const { input, output, cached, cost } = (await call('GET /api/usage', { query: { chatId } })).totals;
    if (!isClosed) onRead({ input, output, cached, ...(cost > 0 ? { cost } : {}) });
  }

  return {
    readSoon() {
      clearTimeout(timer);
      if (isClosed) return;
      timer = setTimeout(() => {
        read().catch(() => undefined); // the sums of the events are used instead
      }, delayMs);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
