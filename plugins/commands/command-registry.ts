// Manages the registered commands of one kind (slash or CLI). A name is unique globally, or per workspace.
import type { PointHandler } from 'agent-harness/kernel';

interface Named {
  readonly name: string;
  readonly summary: string;
  readonly run: unknown;
  readonly workspaceRoot?: string;
}

export interface CommandRegistry<T> {
  readonly handler: PointHandler<T>;
  /** Returns a command; a global command takes precedence over one of the workspace. */
  find(name: string, workspaceRoot?: string): T | undefined;
  /** Returns the plugin that owns the result of {@link CommandRegistry.find}. */
  ownerOf(name: string, workspaceRoot?: string): string | undefined;
  /** Returns the global commands and those of a workspace, sorted by name. */
  list(workspaceRoot?: string): readonly T[];
  names(workspaceRoot?: string): string[];
}

const nameGrammar = /^[a-z][a-z0-9-]{0,31}$/;

/**
 * Creates a registry.
 * @param kind noun for error messages
 * @param mark the prefix that users type before the name
 */
export function createCommandRegistry<T extends Named>(kind: string, mark: string): CommandRegistry<T> {
  /** Commands by name, then by workspace; `''` means global. */
  const commands = new Map<string, Map<string, { readonly item: T; readonly owner: string }>>();
  const at = (name: string, workspaceRoot = ''): { readonly item: T; readonly owner: string } | undefined => commands.get(name)?.get(workspaceRoot);
  const find = (name: string, workspaceRoot?: string): T | undefined => (at(name) ?? at(name, workspaceRoot))?.item;
  const names = (workspaceRoot?: string): string[] => [...commands.keys()].filter((name) => find(name, workspaceRoot)).sort();

  return {
    handler: {
      validate({ name, summary, run, workspaceRoot }, owner) {
        if (!nameGrammar.test(name))
          return `'${name}' is not a valid name for a ${kind}: use at most 32 lower-case letters, digits and hyphens, beginning with a letter.`;
        if (typeof summary !== 'string' || !summary.trim()) return `the ${kind} '${mark}${name}' needs a summary.`;
        if (typeof run !== 'function') return `the ${kind} '${mark}${name}' needs a function run.`;
        const first = at(name) ?? at(name, workspaceRoot);
        if (!first) return undefined;
        if (first.owner === owner) return `'${owner}' contributes the ${kind} '${mark}${name}' twice; remove one.`;
        return `the ${kind} '${mark}${name}' is contributed by both '${first.owner}' and '${owner}'; disable one of them.`;
      },
      added(item, owner) {
        const { name, workspaceRoot = '' } = item;
        const named = commands.get(name) ?? new Map<string, { readonly item: T; readonly owner: string }>();
        commands.set(name, named.set(workspaceRoot, { item, owner }));
      },
      removed({ name, workspaceRoot = '' }) {
        const named = commands.get(name);
        named?.delete(workspaceRoot);
        if (named?.size === 0) commands.delete(name);
      },
    },
    find,
    ownerOf: (name, workspaceRoot) => (at(name) ?? at(name, workspaceRoot))?.owner,
    list: (workspaceRoot) => names(workspaceRoot).flatMap((name) => find(name, workspaceRoot) ?? []),
    names,
  };
}
