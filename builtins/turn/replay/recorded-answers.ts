// Answers the requests of a replayed turn at the position of the recorded answer: a request waits until the replay reaches that position.
import type { Entry, Fault } from './record-schema.ts';

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (fault: unknown) => void;
}

export class RecordedAnswers {
  readonly #log: readonly Entry[];
  readonly #positions: ReadonlyMap<string, number>;
  readonly #pending = new Map<number, Pending>();
  /** Requests without a recorded answer. */
  readonly #unanswered: Pending[] = [];
  /** Number of replayed entries. */
  #replayed = 0;

  constructor(log: readonly Entry[]) {
    this.#log = log;
    this.#positions = new Map(log.flatMap((entry, at) => (entry.on === 'answer' ? [[entry.key, at] as const] : [])));
  }

  has(key: string): boolean {
    return this.#positions.has(key);
  }

  of(key: string): Promise<unknown> {
    const at = this.#positions.get(key);
    return new Promise((resolve, reject) => {
      if (at === undefined) this.#unanswered.push({ resolve, reject });
      else if (at < this.#replayed) this.#settle(at, { resolve, reject });
      else this.#pending.set(at, { resolve, reject });
    });
  }

  /** Marks an entry as replayed, and answers the request that waits for it. */
  reach(at: number): void {
    this.#replayed = at + 1;
    const waiting = this.#pending.get(at);
    this.#pending.delete(at);
    if (waiting) this.#settle(at, waiting);
  }

  rejectUnanswered(): void {
    for (const { reject } of this.#unanswered.splice(0)) reject(noAnswer());
  }

  #settle(at: number, { resolve, reject }: Pending): void {
    const entry = this.#log[at] as Extract<Entry, { on: 'answer' }>;
    if (entry.fault) reject(errorFrom(entry.fault));
    else resolve(entry.value);
  }
}

export function noAnswer(): Error {
  return Object.assign(new Error('The record has no answer for this.'), { code: 'REPLAY_ERR_DIFFERS' });
}

/** Recreates an error of the recorded turn. */
export function errorFrom({ code, message, details }: Fault): Error {
  return Object.assign(new Error(message), code === undefined ? {} : { code }, details === undefined ? {} : { details });
}
