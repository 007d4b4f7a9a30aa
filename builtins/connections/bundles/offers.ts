// Registers the slash commands, skills and MCP servers of trusted bundles, and removes them when the files change or the trust is revoked.
import type { Disposable, Registry } from 'agent-harness/kernel';
import type { CommandFile } from '#lib/command-file';
import { fillPlaces, commandPlaces } from '#lib/command-places';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import type { Bundle } from './bundle.ts';

export interface Offers {
  /** Replaces the active bundles; keeps those of other workspaces. */
  set(own: readonly Bundle[], workspace: { readonly root: string; readonly bundle: Bundle | undefined }): Promise<void>;
}

interface Offered {
  readonly digest: string;
  readonly things: readonly Pick<Disposable, 'dispose'>[];
}

type Add = Pick<Registry, 'add'>['add'];

/** @param taken returns whether a command already has that name, globally or in that workspace */
export function createOffers(add: Add, taken: (name: string, workspaceRoot?: string) => boolean, warn: (line: string) => void): Offers {
  const offered = new Map<string, Offered>();
  function addCommand(bundle: Bundle, command: CommandFile): Pick<Disposable, 'dispose'>[] {
    const within = bundle.isOwn ? undefined : bundle.root;
    const ofBundle = `${bundle.name}-${command.name}`.replace(/[^a-z0-9-]/g, '-').slice(0, 32);
    const name = [command.name, ofBundle].find((one) => !taken(one, within));
    if (name !== undefined) return [add('slash_command', slashCommand(name, bundle, command))];
    warn(`the command /${command.name} of ${bundle.name} is left out: a command of that name exists.`);
    return [];
  }

  async function offer(bundle: Bundle): Promise<void> {
    if (offered.get(bundle.root)?.digest === bundle.digest) return;
    await withdraw(bundle.root);
    const things = [
      ...bundle.commands.flatMap((command) => addCommand(bundle, command)),
      ...(bundle.skills.length > 0 ? [add('skill_root', { name: bundle.name, root: bundle.root, folder: 'skills' })] : []),
      ...(bundle.hasServers ? [add('mcp_root', { root: bundle.root })] : []),
    ];
    offered.set(bundle.root, { digest: bundle.digest, things });
  }

  async function withdraw(root: string): Promise<void> {
    const things = offered.get(root)?.things ?? [];
    offered.delete(root);
    for (const thing of things) await thing.dispose();
  }

  const ownRoots = new Set<string>();
  return {
    async set(own, { root, bundle }) {
      for (const gone of [...ownRoots].filter((one) => !own.some((other) => other.root === one))) await withdraw(gone);
      ownRoots.clear();
      for (const one of own) ownRoots.add(one.root);
      for (const one of bundle ? [...own, bundle] : own) await offer(one);
      if (!bundle && !ownRoots.has(root)) await withdraw(root);
    },
  };
}

function slashCommand(name: string, { name: of, isOwn, root }: Bundle, command: CommandFile): SlashCommand {
  const { summary, usage, text } = command;
  return {
    ...{ name, summary: `${summary} (${of})`, places: commandPlaces(command), permission: 'chats.write' },
    ...(usage === undefined ? {} : { usage }),
    ...(isOwn ? {} : { workspaceRoot: root }),
    run: ({ args }) => ({ prompt: fillPlaces(text, args) }),
  };
}
