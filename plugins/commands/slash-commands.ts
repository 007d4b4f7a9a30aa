// Parses and runs slash commands, and implements `/help`.
import type { KernelControl } from 'agent-harness/kernel';
import { compareCommands } from '#lib/command-order';
import { messageOf } from '#lib/errors';
import { nearestNames } from '#lib/text';
import type { Interception, Prompt, Turn } from 'agent-harness/plugins/agent';
import type { SlashAnswer, SlashCommand, SlashContext, SlashRow } from 'agent-harness/plugins/commands';
import type { Http, Principal } from 'agent-harness/plugins/http';
import type { CommandRegistry } from './command-registry.ts';

export interface SlashCommands {
  /** Returns the commands that the caller may run in a workspace, in display order; all commands if no caller is given. */
  list(workspaceRoot?: string, caller?: Principal): SlashRow[];
  /**
   * Runs a command outside a turn. Rejects with `COMMANDS_ERR_UNKNOWN`, `COMMANDS_ERR_FORBIDDEN`, `COMMANDS_ERR_NEEDS_TURN`, or with the command's error.
   */
  run(name: string, context: SlashContext): Promise<string>;
  /** Works like {@link SlashCommands.run}, but accepts commands that make tool calls. */
  answer(name: string, context: SlashContext): Promise<SlashAnswer>;
  /** Returns the reply to a message that is a command; `undefined` for a message to the model. Rejects only if the message cannot be stored. */
  intercept(message: Pick<Turn, 'text' | 'chatId' | 'workspaceRoot' | 'principal' | 'kept' | 'notes'>): Promise<Interception | undefined>;
}

/** Matches `/word`, alone or followed by white space; does not match a path such as `/etc/hosts`, or `//word`. */
const commandGrammar = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/;

export interface SlashErrors {
  /** Creates the error for an unknown name. */
  unknown(name: string, hint: string): Error;
  needsTurn(name: string): Error;
  forbidden(name: string): Error;
}

/** Creates the slash command runner. @param permits called only for identified callers */
export function createSlashCommands(
  registered: CommandRegistry<SlashCommand>,
  { unknown, needsTurn, forbidden }: SlashErrors,
  permits: Http['permits'],
  runAs: KernelControl['runAs'],
): SlashCommands {
  async function run(name: string, context: SlashContext): Promise<SlashAnswer> {
    const { workspaceRoot } = context;
    const command = registered.find(name, workspaceRoot);
    if (!command) throw unknown(name, hintOf(name, registered, workspaceRoot));
    if (context.principal && !permits(context.principal, command.permission)) throw forbidden(name);
    const owner = registered.ownerOf(name, workspaceRoot) ?? '';
    return runAs(owner, async () => command.run({ ...context, args: context.args.trim() }), 'slash command');
  }

  return {
    list: (workspaceRoot, caller) =>
      registered
        .list(workspaceRoot)
        .filter(({ permission }) => !caller || permits(caller, permission))
        .sort(compareCommands)
        .map(rowOf),
    answer: run,
    async run(name, context) {
      const answer = await run(name, context);
      const text = textOf(answer);
      if (text === undefined) throw needsTurn(name);
      return text;
    },
    async intercept({ text, chatId, workspaceRoot, principal, kept, notes }) {
      const [, name, args = ''] = commandGrammar.exec(text.trim()) ?? [];
      if (name === undefined) return undefined;
      if (!registered.find(name, workspaceRoot))
        return { text: `${unknown(name, hintOf(name, registered, workspaceRoot)).message} Begin with '//' to say it to the model.` };
      await kept();
      try {
        const answer = await run(name, { chatId, workspaceRoot, args, ...(principal ? { principal } : {}) });
        if (typeof answer === 'string') return { text: answer };
        if ('kept' in answer) return { text: answer.kept };
        if (!('prompt' in answer)) return answer;
        notes.set(noteKey, `The user's command /${name} means:\n\n${answer.prompt}`);
        return undefined;
      } catch (fault) {
        return { text: `/${name}: ${messageOf(fault)}` };
      }
    },
  };
}

/** Returns the text of a reply for the caller; `undefined` if the command needs a turn. */
export function textOf(answer: SlashAnswer): string | undefined {
  if (typeof answer === 'string') return answer;
  return 'text' in answer ? answer.text : undefined;
}

const noteKey = 'commands';

/** Appends the command's text for the model to the end of the prompt in each round of the turn. */
export function addCommandPrompt(prompt: Prompt, { notes }: Pick<Turn, 'notes'>): Prompt | undefined {
  const text = notes.get(noteKey);
  return typeof text === 'string' ? { ...prompt, tail: [...prompt.tail, { role: 'system', text }] } : undefined;
}

/** Creates `/help`, which lists all commands; `/help name` explains one. The reply is plain text, like the reply of every command. */
export function createHelpCommand(registered: CommandRegistry<SlashCommand>): SlashCommand {
  return {
    name: 'help',
    summary: 'Lists the commands, or explains one.',
    usage: '[command]',
    permission: 'server.read',
    run({ args, workspaceRoot }) {
      const name = args.replace(/^\//, '');
      const command = registered.find(name, workspaceRoot);
      if (command) return lineOf(command);
      const lines = registered.list(workspaceRoot).map((one) => `- ${lineOf(one)}`);
      const unknown = name ? [`There is no command '/${name}'.${hintOf(name, registered, workspaceRoot)}`, ''] : [];
      return [...unknown, ...lines].join('\n');
    },
  };
}

function lineOf({ name, usage, summary }: SlashCommand): string {
  return `/${name}${usage ? ` ${usage}` : ''}: ${summary}`;
}

function rowOf({ name, summary, usage, places = [], isSecret, isImmediate }: SlashCommand): SlashRow {
  return {
    ...{ name, summary },
    ...(usage === undefined ? {} : { usage }),
    ...(places.length === 0 ? {} : { places: [...places] }),
    ...(isSecret === true ? { isSecret } : {}),
    ...(isImmediate === true ? { isImmediate } : {}),
  };
}

function hintOf(name: string, registered: CommandRegistry<SlashCommand>, workspaceRoot: string): string {
  const near = nearestNames(name, registered.names(workspaceRoot), { slips: () => Math.max(1, Math.floor(name.length / 3)) }).map((one) => `'/${one}'`);
  return near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
}
