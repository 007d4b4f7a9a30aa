// Owns the registrations of a plugin or of a part of a plugin, and undoes them one after the other in reverse order.
import { setMaxListeners } from 'node:events';
import type { Disposable } from './types.ts';
import { kernelError } from './errors.ts';
import { withTimeout } from './free-clock.ts';
import { isInside, runInside, type Work } from './reentrance.ts';

interface Entry extends Work {
  readonly label: string;
  /** The undo of a child scope returns the errors of its own undos. */
  readonly undo: () => void | Promise<void | unknown[]>;
  readonly child: Scope | undefined;
  isBegun: boolean;
  work?: Promise<void | unknown[]>;
}

/** Time limit of a single undo, in milliseconds. */
const undoTimeoutMs = 5_000;

export class Scope {
  readonly #owner: string;
  readonly #what: string;
  readonly #onChange: () => void;
  readonly #entries = new Set<Entry>();
  #abort: AbortController | undefined;
  #isOpen = true;
  #closing: Promise<unknown[]> = Promise.resolve([]);

  /** @param onChange called when an entry is added or its undo starts */
  constructor(owner: string, onChange: () => void, what = 'it') {
    this.#owner = owner;
    this.#onChange = onChange;
    this.#what = what;
  }

  /** Aborted before the first undo runs. Created on first use, because most plugins never read it. */
  get signal(): AbortSignal {
    if (this.#abort) return this.#abort.signal;
    this.#abort = new AbortController();
    // Disables Node's leak warning, because every running operation may listen.
    setMaxListeners(0, this.#abort.signal);
    if (!this.#isOpen) this.#abort.abort();
    return this.#abort.signal;
  }

  get labels(): readonly string[] {
    return [...this.#entries].flatMap(({ label, child, isBegun }) => (isBegun ? [] : child ? child.labels : [label]));
  }

  /** Adds an undo that runs once: on an early `dispose()`, or when the scope closes. Throws `KRN_ERR_SCOPE_CLOSED` once closing has started. */
  add(label: string, undo: () => void | Promise<void>): Disposable {
    return this.keep(label, () => ({ dispose: undo }));
  }

  /** Calls `make` and registers the undo of its result; does not call `make` once closing has started. */
  keep(label: string, make: () => Disposable): Disposable {
    this.#assertOpen(label);
    const made = make();
    const entry = this.#enter(label, () => made.dispose());
    return { dispose: () => this.#undo(entry) as void | Promise<void> };
  }

  /** Creates a scope inside this one; it ends with this scope or earlier. */
  child(label: string): { readonly scope: Scope; dispose(): Promise<void> } {
    const scope = new Scope(this.#owner, this.#onChange, `its part '${label}'`);
    const entry = this.#enter(label, () => scope.close(), scope);
    const end = async (): Promise<void> => {
      const [fault] = (await this.#undo(entry)) ?? [];
      if (fault !== undefined) throw fault;
    };
    let ending: Promise<void> | undefined;
    return { scope, dispose: () => (isInside(entry) ? Promise.resolve() : (ending ??= end())) };
  }

  /** Contract: never rejects; returns every error. An undo that fails or never ends does not block the others. */
  close(): Promise<unknown[]> {
    if (!this.#isOpen) return this.#closing;
    this.#isOpen = false;
    return (this.#closing = this.#undoAll());
  }

  async #undoAll(): Promise<unknown[]> {
    this.#abort?.abort();
    const faults: unknown[] = [];
    for (const entry of [...this.#entries].reverse()) {
      try {
        const work = this.#undo(entry);
        const late = (): Error => kernelError('DISPOSE_TIMEOUT', { plugin: this.#owner, label: entry.label, ms: undoTimeoutMs });
        if (work) faults.push(...((await (entry.child ? work : withTimeout(work, undoTimeoutMs, late))) ?? []));
      } catch (fault) {
        faults.push(fault);
      }
    }
    return faults;
  }

  #assertOpen(label: string): void {
    if (!this.#isOpen) throw kernelError('SCOPE_CLOSED', { plugin: this.#owner, label, what: this.#what });
  }

  #enter(label: string, undo: Entry['undo'], child?: Scope): Entry {
    this.#assertOpen(label);
    const entry: Entry = { label, undo, child, isBegun: false, isOver: false };
    this.#entries.add(entry);
    this.#onChange();
    return entry;
  }

  /** Runs the undo of an entry once. Later calls return the same promise, except calls from the undo itself, which would deadlock. */
  #undo(entry: Entry): void | Promise<void | unknown[]> {
    if (entry.isBegun) return isInside(entry) ? undefined : entry.work;
    entry.isBegun = true;
    this.#onChange();
    const forget = (): void => {
      entry.isOver = true;
      this.#entries.delete(entry);
    };
    try {
      const work = runInside(entry, entry.undo);
      if (work) entry.work = Promise.resolve(work).finally(forget);
    } finally {
      if (!entry.work) forget();
    }
    return entry.work;
  }
}
