// Contributes prompt templates as slash commands, and replaces the commands when files change.
import type { Disposable, Registry } from 'agent-harness/kernel';
import type { CommandFile } from '#lib/command-file';
import { fillPlaces, commandPlaces } from '#lib/command-places';
import { createSerialQueue } from '#lib/async';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import type { TemplateFolder } from './template-folder.ts';

export interface TemplateOffers {
  /** Replaces the templates of a workspace; if no workspace is given, the user's own. */
  set(workspaceRoot: string | undefined, folder: TemplateFolder | undefined): Promise<void>;
  /** Returns the name of the command for a template; `undefined` if it has none. @param path path of the template's file */
  commandOf(workspaceRoot: string | undefined, path: string): string | undefined;
}

interface Offered {
  readonly digest: string;
  /** Commands by template path. */
  readonly commands: ReadonlyMap<string, { readonly name: string; readonly thing: Pick<Disposable, 'dispose'> }>;
}

type Add = Pick<Registry, 'add'>['add'];

/** @param taken returns whether a command already has that name, globally or in that workspace */
export function createTemplateOffers(add: Add, taken: (name: string, workspaceRoot?: string) => boolean): TemplateOffers {
  const offered = new Map<string, Offered>();
  const queue = createSerialQueue();

  async function setNow(workspaceRoot: string | undefined, folder: TemplateFolder | undefined): Promise<void> {
    const key = workspaceRoot ?? '';
    const last = offered.get(key);
    if (last?.digest === folder?.digest) return;
    offered.delete(key);
    for (const { thing } of last?.commands.values() ?? []) await thing.dispose();
    if (folder?.digest === undefined) return;
    const commands = new Map<string, { readonly name: string; readonly thing: Pick<Disposable, 'dispose'> }>();
    for (const template of folder.templates) {
      const name = [template.name, `prompt-${template.name}`.slice(0, 32)].find((one) => !taken(one, workspaceRoot));
      if (name !== undefined) commands.set(template.path, { name, thing: add('slash_command', slashCommand(name, template, workspaceRoot)) });
    }
    offered.set(key, { digest: folder.digest, commands });
  }

  return {
    set: (workspaceRoot, folder) => queue.run(() => setNow(workspaceRoot, folder)),
    commandOf: (workspaceRoot, path) => offered.get(workspaceRoot ?? '')?.commands.get(path)?.name,
  };
}

function slashCommand(name: string, template: CommandFile, workspaceRoot: string | undefined): SlashCommand {
  const { summary, usage, text } = template;
  return {
    ...{ name, summary, places: commandPlaces(template), permission: 'chats.write' },
    ...(usage === undefined ? {} : { usage }),
    ...(workspaceRoot === undefined ? {} : { workspaceRoot }),
    run: ({ args }) => ({ prompt: fillPlaces(text, args) }),
  };
}
