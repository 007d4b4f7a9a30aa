// Builds the full text of shortened messages, which is stored as an artifact. Pure.
import type { ModelMessage } from 'agent-harness/plugins/models';

/** @param before id of the artifact with the preceding text; `undefined` if there is none */
export function fullTextOf(messages: readonly ModelMessage[], before: string | undefined): string {
  const start = before === undefined ? [] : [`What came before: artifact "${before}".`];
  return [...start, ...messages.map(textOf)].join('\n\n');
}

function textOf(message: ModelMessage): string {
  switch (message.role) {
    case 'tool':
      return `## ${message.name} ${message.isError ? 'failed' : 'answered'}\n${message.text}`;
    case 'assistant':
      return ['## assistant', message.text, ...message.toolCalls.map(({ name, argsText }) => `calls ${name} ${argsText}`)]
        .filter((line) => line !== '')
        .join('\n');
    default:
      return `## ${message.role}\n${message.text}`;
  }
}
