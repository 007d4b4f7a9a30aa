// Selects the tool outputs to summarize. Pure.
import type { ToolCall } from 'agent-harness/plugins/agent';
import type { ToolOutcome } from 'agent-harness/plugins/tools';

/** Minimum length of a text to summarize, in UTF-16 code units. */
export const distillFrom = 16_000;
/** Tools whose output the model needs verbatim, for editing or because a summary was not sufficient. */
const exactTools = ['read_file', 'read_artifact'];

export function isWorthIt(outcome: ToolOutcome, { tool }: ToolCall): boolean {
  return textOf(outcome).length >= distillFrom && !exactTools.includes(tool.name);
}

/** Returns the text of an outcome that the model reads. */
export function textOf(outcome: ToolOutcome): string {
  return outcome.ok ? outcome.output : outcome.error;
}
