// Builds the help texts of the program from the contributed commands.
import type { CliCommand } from 'agent-harness/plugins/commands';
import type { Product } from 'agent-harness/plugins/storage';

/** Name of the command that runs if the command line contains none. */
export const defaultCommand = 'open';

type Row = readonly [left: string, right: string];

const helpRow: Row = ['-h, --help', 'Shows this help.'];

/** Returns the text of `--help`: each command with its summary. */
export function describeProgram({ name: own, command: name = own, title, version, programs = [] }: Product, commands: readonly CliCommand[]): string {
  return [
    `${title} ${version}`,
    '',
    `Usage: ${name} [command] [options]`,
    '',
    'Commands:',
    ...alignRows([...commands.map((one): Row => [usageOf(one), one.summary]), ...programs.map((one): Row => [`${one.name} [command]`, one.summary])]),
    '',
    'Options:',
    ...alignRows([helpRow, ['-v, --version', 'Shows the version.']]),
    '',
    `'${name} <command> --help' explains one command. Without a command, '${name}' ${commands.some((one) => one.name === defaultCommand) ? `does what '${name} ${defaultCommand}' does` : 'shows this help'}.`,
  ].join('\n');
}

/** Returns the text of `<command> --help`. */
export function describeCommand({ name: own, command: name = own }: Product, command: CliCommand): string {
  const options = Object.entries(command.options ?? {}).map(([option, { type, short, description }]): Row => {
    const value = type === 'string' ? ` <${option}>` : '';
    return [`${short === undefined ? '    ' : `-${short}, `}--${option}${value}`, description];
  });
  return [
    `Usage: ${name} ${usageOf(command)}${options.length > 0 ? ' [options]' : ''}`,
    '',
    command.summary,
    '',
    'Options:',
    ...alignRows([...options, helpRow]),
  ].join('\n');
}

function usageOf({ name, usage }: CliCommand): string {
  return usage ? `${name} ${usage}` : name;
}

/** Aligns two columns. A long left cell gets a line of its own; otherwise, a single command would move all summaries to the right. */
function alignRows(rows: readonly Row[]): string[] {
  const widest = 28;
  const width = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= widest));
  return rows.flatMap(([left, right]) => (left.length <= widest ? [`  ${left.padEnd(width)}  ${right}`] : [`  ${left}`, `  ${' '.repeat(width)}  ${right}`]));
}
