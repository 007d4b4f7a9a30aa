// Stores the owner of each name (of an event, a hook or a point) and the plugins that use the name.
import type { Disposable } from './types.ts';
import { kernelError } from './errors.ts';

const duplicate = { event: 'EVENT_DUPLICATE', hook: 'HOOK_DUPLICATE', point: 'POINT_DUPLICATE' } as const;

export interface NameUse {
  readonly plugin: string;
}
export interface Entry<Owned, Use> {
  owner?: { readonly plugin: string; readonly value: Owned } | undefined;
  /** Uses in registration order. Replaced on each change and never mutated, because code that is running may be iterating over them. */
  uses: readonly Use[];
}

export function createNameTable<Owned, Use extends NameUse>(kind: keyof typeof duplicate) {
  const entries = new Map<string, Entry<Owned, Use>>();

  function change(name: string, apply: (entry: Entry<Owned, Use>) => unknown): void {
    const entry = entries.get(name) ?? { uses: [] };
    apply(entry);
    if (entry.owner || entry.uses.length > 0) entries.set(name, entry);
    else entries.delete(name);
  }

  return {
    get: (name: string): Readonly<Entry<Owned, Use>> | undefined => entries.get(name),
    /** Registers the owner of a name. Throws if the name already has an owner. */
    own(plugin: string, name: string, value: Owned): Disposable {
      const first = entries.get(name)?.owner?.plugin;
      if (first !== undefined) throw kernelError(duplicate[kind], { [kind]: name, first, second: plugin });
      change(name, (entry) => (entry.owner = { plugin, value }));
      return { dispose: () => change(name, (entry) => (entry.owner = undefined)) };
    },
    use(name: string, use: Use): Disposable {
      change(name, (entry) => (entry.uses = [...entry.uses, use]));
      return { dispose: () => change(name, (entry) => (entry.uses = entry.uses.filter((one) => one !== use))) };
    },
    /** Returns the names with an owner. */
    owned: (): string[] => [...entries].flatMap(([name, { owner }]) => (owner ? [name] : [])),
    /** Returns all uses of names that have no owner. */
    unowned: () => [...entries].flatMap(([name, { owner, uses }]) => (owner ? [] : uses.map(({ plugin }) => ({ plugin, name })))),
    /** Returns the labels of all registrations. @param labelsOf returns the labels for the uses of a name */
    trace: (labelsOf: (name: string, uses: readonly Use[]) => readonly string[]): string[] =>
      [...entries].flatMap(([name, { owner, uses }]) => [...(owner ? [`${kind}:${name}@${owner.plugin}`] : []), ...labelsOf(name, uses)]),
  };
}
