// Owns what one plugin, or a part of it that comes and goes, registered; undoes it one at a time, last first.
import { setMaxListeners } from 'node:events';
import type { Disposable } from './contracts.ts';
import { kernelError } from './errors.ts';

interface Entry {
  readonly label: string;
  readonly undo: () => void | Promise<void>;
  readonly child?: Scope;
}

/** Limit for a single undo, in milliseconds. */
const undoTimeoutMs = 5_000;

export class Scope {
  readonly owner: string;
  readonly #what: string;
  readonly #entries = new Set<Entry>();
  #abort: AbortController | undefined;
  #isOpen = true;

  constructor(owner: string, what = 'it') {
    this.owner = owner;
    this.#what = what;
  }

  /** Aborted before the first undo runs. Made for who asks: most plugins never do. */
  get signal(): AbortSignal {
    if (this.#abort) return this.#abort.signal;
    this.#abort = new AbortController();
    // Every piece of work under way may listen; node warns of a leak at eleven.
    setMaxListeners(0, this.#abort.signal);
    if (!this.#isOpen) this.#abort.abort();
    return this.#abort.signal;
  }

  get labels(): readonly string[] {
    const labels: string[] = [];
    for (const { label, child } of this.#entries) labels.push(...(child ? child.labels : [label]));
    return labels;
  }

  /** Takes an undo. Early `dispose()` runs it and forgets it. Throws `KRN_ERR_SCOPE_CLOSED` once closing began. */
  add(label: string, undo: () => void | Promise<void>): Disposable {
    this.assertOpen(label);
    const entry: Entry = { label, undo };
    this.#entries.add(entry);
    return { dispose: () => (this.#entries.delete(entry) ? undo() : undefined) };
  }

  /** Makes something that can be undone; nothing is made once closing began. */
  keep(label: string, make: () => Disposable): Disposable {
    this.assertOpen(label);
    const made = make();
    return this.add(label, () => made.dispose());
  }

  /** A scope inside of this one, which ends with it or before. */
  child(label: string): { readonly scope: Scope; dispose(): Promise<void> } {
    this.assertOpen(label);
    const scope = new Scope(this.owner, `its part '${label}'`);
    const entry: Entry = { label, undo: () => undefined, child: scope };
    this.#entries.add(entry);
    return {
      scope,
      dispose: async () => {
        const faults = await scope.close();
        this.#entries.delete(entry);
        if (faults.length > 0) throw faults[0];
      },
    };
  }

  assertOpen(label: string): void {
    if (!this.#isOpen) throw kernelError('SCOPE_CLOSED', { plugin: this.owner, label, what: this.#what });
  }

  /** Contract: never rejects; answers every fault. A failing or endless undo does not stop the others. */
  async close(): Promise<unknown[]> {
    if (!this.#isOpen) return [];
    this.#isOpen = false;
    this.#abort?.abort();
    const faults: unknown[] = [];
    for (const entry of [...this.#entries].reverse()) {
      if (!this.#entries.delete(entry)) continue;
      if (entry.child) faults.push(...(await entry.child.close()));
      try {
        const late = (): Error => kernelError('DISPOSE_TIMEOUT', { plugin: this.owner, label: entry.label, ms: undoTimeoutMs });
        const work = entry.undo();
        if (work) await withTimeout(work, undoTimeoutMs, late);
      } catch (fault) {
        faults.push(fault);
      }
    }
    return faults;
  }
}

/** Runs one piece of work after the other, whatever becomes of each. */
export function createQueue(): <T>(work: () => Promise<T>) => Promise<T> {
  let tail: Promise<unknown> = Promise.resolve();
  return (work) => {
    const run = tail.then(work);
    tail = run.catch(() => undefined);
    return run;
  };
}

/** Rejects with `late()` when `work` takes longer than `ms`; the work itself cannot be stopped, so `onLate` gets what it still answers. */
export async function withTimeout<T>(work: PromiseLike<T>, ms: number, late: () => Error, onLate?: (answer: T) => unknown): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(late());
      if (onLate)
        Promise.resolve(work)
          .then(onLate)
          .catch(() => undefined); // nobody waits for it any more
    }, ms);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}
