// Slash commands: which message is one, what it answers, and `/help`.
import { messageOf } from 'agent-harness/lib/errors';
import { nearestNames } from 'agent-harness/lib/text';
import type { Interception, Turn } from 'agent-harness/plugins/agent';
import type { SlashAnswer, SlashCommand, SlashContext } from 'agent-harness/plugins/commands';
import type { Http } from 'agent-harness/plugins/http';
import type { CommandBoard } from './command-board.ts';

export interface SlashRow {
  readonly name: string;
  readonly summary: string;
  readonly usage?: string;
}

export interface SlashCommands {
  list(): SlashRow[];
  /** Outside of a turn. Rejects with `COMMANDS_ERR_UNKNOWN`, `COMMANDS_ERR_FORBIDDEN`, `COMMANDS_ERR_NEEDS_TURN`, or with what the command throws. */
  run(name: string, context: SlashContext): Promise<string>;
  /** As {@link SlashCommands.run}, also where it is to call tools. */
  answer(name: string, context: SlashContext): Promise<SlashAnswer>;
  /** The reply to a message that is a command; `undefined` for one that goes to the model. Rejects only where the message cannot be kept. */
  intercept(message: Pick<Turn, 'text' | 'chatId' | 'workspaceRoot' | 'principal' | 'kept'>): Promise<Interception | undefined>;
}

/** `/word`, alone or followed by white space: a path like `/etc/hosts` is none, and neither is `//word`. */
const commandGrammar = /^\/([a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/;

export interface SlashErrors {
  /** For a name nobody contributes. */
  unknown(name: string, hint: string): Error;
  needsTurn(name: string): Error;
  forbidden(name: string): Error;
}

/** @param permits asked only for who is known */
export function createSlashCommands(
  board: CommandBoard<SlashCommand>,
  { unknown, needsTurn, forbidden }: SlashErrors,
  permits: Http['permits'],
): SlashCommands {
  async function run(name: string, context: SlashContext): Promise<SlashAnswer> {
    const command = board.find(name);
    if (!command) throw unknown(name, hintOf(name, board));
    if (context.principal && !permits(context.principal, command.permission)) throw forbidden(name);
    return command.run({ ...context, args: context.args.trim() });
  }

  return {
    list: () => board.list().map(rowOf),
    answer: run,
    async run(name, context) {
      const answer = await run(name, context);
      if (typeof answer !== 'string') throw needsTurn(name);
      return answer;
    },
    async intercept({ text, chatId, workspaceRoot, principal, kept }) {
      const [, name, args = ''] = commandGrammar.exec(text.trim()) ?? [];
      if (name === undefined) return undefined;
      if (!board.find(name)) return { text: `${unknown(name, hintOf(name, board)).message} Begin with '//' to say it to the model.` };
      await kept();
      try {
        const answer = await run(name, { chatId, workspaceRoot, args, ...(principal ? { principal } : {}) });
        return typeof answer === 'string' ? { text: answer } : answer;
      } catch (fault) {
        return { text: `/${name}: ${messageOf(fault)}` };
      }
    },
  };
}

/** `/help` lists all commands, `/help name` explains one. Plain text, as every client shows what a command answers. */
export function createHelpCommand(board: CommandBoard<SlashCommand>): SlashCommand {
  return {
    name: 'help',
    summary: 'Lists the commands, or explains one.',
    usage: '[command]',
    permission: 'server.read',
    run({ args }) {
      const name = args.replace(/^\//, '');
      const command = board.find(name);
      if (command) return lineOf(command);
      const lines = board.list().map((one) => `- ${lineOf(one)}`);
      const unknown = name ? [`There is no command '/${name}'.${hintOf(name, board)}`, ''] : [];
      return [...unknown, ...lines].join('\n');
    },
  };
}

function lineOf({ name, usage, summary }: SlashCommand): string {
  return `/${name}${usage ? ` ${usage}` : ''}: ${summary}`;
}

function rowOf({ name, summary, usage }: SlashCommand): SlashRow {
  return { name, summary, ...(usage === undefined ? {} : { usage }) };
}

function hintOf(name: string, board: CommandBoard<SlashCommand>): string {
  const near = nearestNames(name, board.names(), { slips: () => Math.max(1, Math.floor(name.length / 3)) }).map((one) => `'/${one}'`);
  return near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
}
