// Stores the owner of each name (of an event, a hook or a point) and the plugins that use it.
import type { Disposable } from './types.ts';
import { kernelError } from './errors.ts';

export interface NameUse {
  readonly plugin: string;
}
interface Entry<Owned, Use> {
  owner?: { readonly plugin: string; readonly value: Owned } | undefined;
  /** In the order of their registration. Replaced on change, never mutated, so that a reader in progress keeps its list. */
  uses: readonly Use[];
}

export class NameTable<Owned, Use extends NameUse> {
  readonly #kind: 'event' | 'hook' | 'point';
  readonly #duplicate: 'EVENT_DUPLICATE' | 'HOOK_DUPLICATE' | 'POINT_DUPLICATE';
  readonly #entries = new Map<string, Entry<Owned, Use>>();

  constructor(kind: 'event' | 'hook' | 'point', duplicate: 'EVENT_DUPLICATE' | 'HOOK_DUPLICATE' | 'POINT_DUPLICATE') {
    this.#kind = kind;
    this.#duplicate = duplicate;
  }

  get(name: string): Readonly<Entry<Owned, Use>> | undefined {
    return this.#entries.get(name);
  }

  /** Throws if the name has an owner. */
  own(plugin: string, name: string, value: Owned): Disposable {
    const { owner } = this.get(name) ?? {};
    if (owner) throw kernelError(this.#duplicate, { [this.#kind]: name, first: owner.plugin, second: plugin });
    this.#change(name, (entry) => (entry.owner = { plugin, value }));
    return { dispose: () => this.#change(name, (entry) => (entry.owner = undefined)) };
  }

  use(name: string, use: Use): Disposable {
    this.#change(name, (entry) => (entry.uses = [...entry.uses, use]));
    return { dispose: () => this.#change(name, (entry) => (entry.uses = entry.uses.filter((one) => one !== use))) };
  }

  /** Uses of names without an owner. */
  unowned(): { readonly plugin: string; readonly name: string }[] {
    return [...this.#entries].flatMap(([name, { owner, uses }]) => (owner ? [] : uses.map(({ plugin }) => ({ plugin, name }))));
  }

  /** Names with an owner. */
  names(): string[] {
    return [...this.#entries].flatMap(([name, { owner }]) => (owner ? [name] : []));
  }

  /** @param labelsOf labels of the uses of a name */
  trace(labelsOf: (name: string, uses: readonly Use[]) => readonly string[]): string[] {
    return [...this.#entries].flatMap(([name, { owner, uses }]) => [...(owner ? [`${this.#kind}:${name}@${owner.plugin}`] : []), ...labelsOf(name, uses)]);
  }

  #change(name: string, change: (entry: Entry<Owned, Use>) => unknown): void {
    const entry = this.#entries.get(name) ?? { uses: [] };
    change(entry);
    if (entry.owner || entry.uses.length > 0) this.#entries.set(name, entry);
    else this.#entries.delete(name);
  }
}
