// Asks the server how it is: often while something may be missed, seldom otherwise.
import type { ApiCall, ReplyOf } from './api.ts';

export type Status = ReplyOf<'GET /api/status'>;

export interface StatusPoll {
  start(): void;
  /** Asks now. Rejects with a CallError. */
  ask(): Promise<Status>;
  /** What decides how often has changed. */
  adjust(): void;
  close(): void;
}

export interface StatusPollOptions {
  readonly call: ApiCall;
  /** Milliseconds until the next time. */
  interval(): number;
  onStatus(status: Status): void;
  /** At each time, whatever the server answers. */
  onTick(): void;
}

export function createStatusPoll({ call, interval, onStatus, onTick }: StatusPollOptions): StatusPoll {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let dueAt = 0;
  let isRunning = false;

  async function ask(): Promise<Status> {
    const status = await call('GET /api/status');
    onStatus(status);
    return status;
  }

  function schedule(): void {
    clearTimeout(timer);
    if (!isRunning) return;
    const ms = interval();
    dueAt = Date.now() + ms;
    timer = setTimeout(() => {
      onTick();
      ask()
        .catch(() => undefined) // whoever made the call has noted how the server is
        .finally(schedule);
    }, ms);
  }

  return {
    ask,
    start() {
      isRunning = true;
      schedule();
    },
    adjust() {
      if (isRunning && Date.now() + interval() < dueAt) schedule();
    },
    close() {
      isRunning = false;
      clearTimeout(timer);
    },
  };
}
