// What a person answers to a question in the terminal.
import type { CliOutput } from 'agent-harness/plugins/commands';

/** The next line; an empty one where there is none. */
export async function readAnswer(output: CliOutput): Promise<string> {
  const next = await output.lines()[Symbol.asyncIterator]().next();
  return next.done ? '' : next.value;
}
