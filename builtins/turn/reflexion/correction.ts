// Builds the message to the model after a round in which all calls failed.
import type { Prompt } from 'agent-harness/plugins/agent';

const maxNames = 6;

/** Adds the message. It quotes no errors, because the conversation already contains them with external content marked. */
export function withCorrection(prompt: Prompt, tools: readonly string[]): Prompt {
  // A name that the model invented may contain any text.
  const names = tools.filter((name) => /^\w{1,64}$/.test(name)).slice(0, maxNames);
  const which = names.length === 0 ? '' : ` (${names.join(', ')})`;
  const text =
    `Every tool call of the last round failed${which}. Before you continue: read the errors, state their cause in one sentence, ` +
    'and remove it: use other arguments or another tool, or inspect the actual state. ' +
    'If you cannot fix the cause, tell the user.';
  return { ...prompt, tail: [...prompt.tail, { role: 'system', text }] };
}
