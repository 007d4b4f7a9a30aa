// Polls the status of the server: often while events may be missed, rarely otherwise.
import type { ApiCall, ReplyOf } from './api.ts';

export type Status = ReplyOf<'GET /api/status'>;

export interface StatusPoll {
  start(): void;
  /** Polls now. Rejects with a `CallError`. */
  ask(): Promise<Status>;
  /** Reschedules the next poll after the interval may have changed. */
  adjust(): void;
  close(): void;
}

export interface StatusPollOptions {
  readonly call: ApiCall;
  /** Returns the time until the next poll, in milliseconds. */
  interval(): number;
  onStatus(status: Status): void;
  /** Called at each poll, whatever the response. */
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
        .catch(() => undefined) // the caller has recorded the server's state
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
