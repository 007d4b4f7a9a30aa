// Builds the message to the model after a round in which all calls failed.
import type { Prompt } from 'agent-harness/plugins/agent';

const maxNames = 6;

/** Adds the message. It quotes no errors, because the conversation contains them with external content marked. */
export function withCorrection(prompt: Prompt, tools: readonly string[]): Prompt {
  // A name that the model invented may be any text.
  const names = tools.filter((name) => /^\w{1,64}$/.test(name)).slice(0, maxNames);
  const which = names.length === 0 ? '' : ` (${names.join(', ')})`;
  const text =
    `Every tool call of the last round failed${which}. Before you go on: read the errors, say in one sentence what caused them, ` +
    'and change something that removes the cause: other arguments, another tool, or a look at what is really there. ' +
    'If the cause is out of your reach, tell the user.';
  return { ...prompt, tail: [...prompt.tail, { role: 'system', text }] };
}
