// Adds colour to terminal output.
import { styleText } from 'node:util';
import type { CliOutput } from 'agent-harness/plugins/commands';

type Brush = (text: string) => string;

export interface Paint {
  readonly bold: Brush;
  readonly dim: Brush;
  readonly red: Brush;
  readonly green: Brush;
  readonly yellow: Brush;
}

/** Creates the functions that add colour. They add none if the output is not a terminal, `NO_COLOR` is set, or the terminal is dumb. */
export function createPaint(output: Pick<CliOutput, 'isTerminal'>, environment: Readonly<Record<string, string | undefined>> = process.env): Paint {
  const isOn = output.isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb';
  const brush = (format: keyof Paint): Brush => (isOn ? (text) => styleText(format, text) : (text) => text);
  return { bold: brush('bold'), dim: brush('dim'), red: brush('red'), green: brush('green'), yellow: brush('yellow') };
}
