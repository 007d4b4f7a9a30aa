// Runs one command line: finds the command, parses its options, runs it, and converts errors to a message and an exit code.
import { parseArgs } from 'node:util';
import { codeOf, explainFault, messageOf, sentencesOf } from '#lib/errors';
import { nearestNames } from '#lib/text';
import type { CliCommand, CliOutput, Commands } from 'agent-harness/plugins/commands';
import type { Product } from 'agent-harness/plugins/storage';
import { defaultCommand, describeCommand, describeProgram } from './cli-help.ts';
import type { CommandRegistry } from './command-registry.ts';

const wrongUse = 2;

/** Creates the runner of the CLI. @param loaded resolves when all plugins, and therefore all commands, are loaded */
export function createCliRunner(product: Product, registered: CommandRegistry<CliCommand>, loaded: () => Promise<void>): Commands['runCli'] {
  const called = product.command ?? product.name;
  return async (argv, output, signal) => {
    const [first, ...rest] = argv;
    if (first === '--version' || first === '-v') return print(output, product.version);
    if (!registered.find(first === undefined || first.startsWith('-') ? defaultCommand : first)?.startsEarly) await loaded();
    if (first === '--help' || first === '-h') return print(output, describeProgram(product, registered.list()));
    if (first === 'help') return explain(rest[0], output);
    // Without a command, options belong to the default command: `app --port 4000`.
    const namesCommand = first !== undefined && !first.startsWith('-');
    const name = namesCommand ? first : defaultCommand;
    const command = registered.find(name);
    if (!command) return namesCommand ? refuse(output, unknownSentence(name), undefined) : print(output, describeProgram(product, registered.list()));
    return run(command, namesCommand ? rest : argv, output, signal);
  };

  async function run(command: CliCommand, args: readonly string[], output: CliOutput, signal: AbortSignal): Promise<number> {
    let parsed: ReturnType<typeof parse>;
    try {
      parsed = parse(command, args);
    } catch (fault) {
      return refuse(output, messageOf(fault), command.name);
    }
    const { help, ...options } = parsed.values;
    if (help === true) return print(output, describeCommand(product, command));
    if (command.usage === undefined && parsed.positionals.length > 0) {
      return refuse(output, `'${called} ${command.name}' takes no '${parsed.positionals.join(' ')}'.`, command.name);
    }
    try {
      return await command.run({ positionals: parsed.positionals, options, lists: parsed.lists, signal }, output);
    } catch (thrown) {
      const fault = withPath(thrown);
      const code = codeOf(fault);
      output.err(`${called}: ${sentencesOf(fault)}${code === undefined ? '' : ` (${code})`}\n`);
      return 1;
    }
  }

  function explain(name: string | undefined, output: CliOutput): number {
    if (name === undefined) return print(output, describeProgram(product, registered.list()));
    const command = registered.find(name);
    return command ? print(output, describeCommand(product, command)) : refuse(output, unknownSentence(name), undefined);
  }

  function unknownSentence(name: string): string {
    const near = nearestNames(name, registered.names(), { slips: () => Math.max(1, Math.floor(name.length / 3)) }).map((one) => `'${one}'`);
    return `There is no command '${name}'.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`;
  }

  function refuse(output: CliOutput, sentence: string, command: string | undefined): number {
    output.err(`${called}: ${sentence}\nRun '${called}${command === undefined ? '' : ` ${command}`} --help' for help.\n`);
    return wrongUse;
  }
}

/** Replaces Node's message for a file-system error (`ENOENT: no such file or directory, stat '…'`) with the path and the reason. */
function withPath(thrown: unknown): unknown {
  const path = thrown instanceof Error && 'path' in thrown ? thrown.path : undefined;
  return typeof path === 'string' ? explainFault(thrown, path) : thrown;
}

interface Parsed {
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly positionals: string[];
}

/** Parses the arguments of a command. Throws an error whose message is a sentence for the user. */
function parse(command: CliCommand, args: readonly string[]): Parsed {
  const known: NonNullable<CliCommand['options']> = { ...command.options, help: { type: 'boolean', short: 'h', description: '' } };
  const options = Object.entries(known).map(([name, { type, short, multiple = false }]) => {
    return [name, { type, multiple, ...(short === undefined ? {} : { short }) }] as const;
  });
  const { values, positionals, tokens } = parseArgs({
    args: args.map((arg) => (isText(arg, known) ? textMark + arg : arg)),
    options: Object.fromEntries(options),
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === 'option') checkOption(token, known, command.usage !== undefined);
  const single: Record<string, string | boolean | undefined> = {};
  const lists: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(values)) {
    if (Array.isArray(value)) lists[name] = value.map((one) => unmarked(String(one)));
    else single[name] = typeof value === 'string' ? unmarked(value) : value;
  }
  return { values: single, lists, positionals: positionals.map(unmarked) };
}

/** Prefix that hides text starting with a dash from `parseArgs`. Process arguments never contain this character. */
const textMark = '\0';
const unmarked = (value: string): string => (value.startsWith(textMark) ? value.slice(textMark.length) : value);

/** Returns whether an argument that starts with a dash is text: a negative number, or white space in place of an option name. */
function isText(arg: string, known: NonNullable<CliCommand['options']>): boolean {
  if (!arg.startsWith('-') || Object.values(known).some(({ short }) => short !== undefined && short === arg[1])) return false;
  return /^-\d+(\.\d+)?$/.test(arg) || /\s/.test(arg.startsWith('--') ? (arg.split('=', 1)[0] ?? '') : arg);
}

interface OptionToken {
  readonly name: string;
  /** The option as the user wrote it, for example `-p` or `--port`. */
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function checkOption({ name, rawName, value, inlineValue }: OptionToken, known: NonNullable<CliCommand['options']>, takesWords: boolean): void {
  const option = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!option) {
    const near = nearestNames(name, Object.keys(known), { slips: () => Math.max(1, Math.floor(name.length / 3)) }).map((one) => `'--${one}'`);
    if (near.length > 0 && name.length > 1) throw new Error(`Unknown option '${rawName}'. Did you mean ${near.join(' or ')}?`);
    throw new Error(`Unknown option '${rawName}'.${takesWords ? " Write '--' before text that begins with a dash." : ''}`);
  }
  if (option.type === 'boolean' && value !== undefined) throw new Error(`The option '--${name}' takes no value.`);
  if (option.type === 'string' && (value === undefined || (inlineValue !== true && /^-./.test(value))))
    throw new Error(`The option '--${name}' needs a value.${value === undefined ? '' : ` Write '--${name}=${value}' if ${value} is its value.`}`);
}

function print(output: CliOutput, text: string): number {
  output.out(`${text}\n`);
  return 0;
}
