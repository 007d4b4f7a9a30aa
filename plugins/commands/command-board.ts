// The commands of one kind that are there now: contributed by name, each name once.
import type { PointHandler } from 'agent-harness/kernel';

interface Named {
  readonly name: string;
  readonly summary: string;
  readonly run: unknown;
}

export interface CommandBoard<T> {
  readonly handler: PointHandler<T>;
  find(name: string): T | undefined;
  /** Sorted by name. */
  list(): readonly T[];
  names(): string[];
}

const nameGrammar = /^[a-z][a-z0-9-]{0,31}$/;

/**
 * @param kind what one is called in a sentence
 * @param mark what people type before the name
 */
export function createCommandBoard<T extends Named>(kind: string, mark: string): CommandBoard<T> {
  const commands = new Map<string, { readonly item: T; readonly owner: string }>();
  const names = (): string[] => [...commands.keys()].sort();

  return {
    handler: {
      validate({ name, summary, run }, owner) {
        if (!nameGrammar.test(name)) return `'${name}' cannot name a ${kind}: lower-case letters, digits and hyphens, at most 32, a letter first.`;
        if (typeof summary !== 'string' || !summary.trim()) return `the ${kind} '${mark}${name}' needs a summary.`;
        if (typeof run !== 'function') return `the ${kind} '${mark}${name}' needs a function run.`;
        const first = commands.get(name);
        if (!first) return undefined;
        if (first.owner === owner) return `'${owner}' contributes the ${kind} '${mark}${name}' twice; remove one.`;
        return `the ${kind} '${mark}${name}' is contributed by both '${first.owner}' and '${owner}'; disable one of them.`;
      },
      added: (item, owner) => void commands.set(item.name, { item, owner }),
      removed: (item) => void commands.delete(item.name),
    },
    find: (name) => commands.get(name)?.item,
    list: () => names().flatMap((name) => commands.get(name)?.item ?? []),
    names,
  };
}
