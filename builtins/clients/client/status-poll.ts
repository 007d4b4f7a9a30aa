// Polls the server's status: often while events may be missed, rarely otherwise.
import type { ApiCall, ReplyOf } from './api.ts';

export type Status = ReplyOf<'GET /api/status'>;

export interface StatusPoll {
  start(): void;
  /** Polls now. Rejects with a CallError. */
  ask(): Promise<Status>;
  /** Reschedules the next poll after a possible change of the interval. */
  adjust(): void;
  close(): void;
}

export interface StatusPollOptions {
  readonly call: ApiCall;
  /** Returns milliseconds until the next poll. */
  interval(): number;
  onStatus(status: Status): void;
  /** Called at each poll, regardless of the reply. */
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
