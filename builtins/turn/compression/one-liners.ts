// Summarizes a round as lines: one for the text, and one per call with its arguments, its outcome and the beginning of its output. Pure.
import type { ModelMessage, ModelToolCall } from 'agent-harness/plugins/models';
import type { Part } from './conversation-parts.ts';
import { flatten } from './shorten.ts';

export interface LineSizes {
  readonly said: number;
  readonly args: number;
  readonly answer: number;
}

export const lineSizes: LineSizes = { said: 240, args: 100, answer: 160 };
/** Line lengths for text that a model will summarize. */
export const longLineSizes: LineSizes = { said: 1_200, args: 300, answer: 700 };

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;

export function linesOfRound(messages: readonly ModelMessage[], part: Part, sizes: LineSizes): string[] {
  const own = messages.slice(part.start, part.end);
  const answers = own.filter((message) => message.role === 'tool');
  return own.flatMap((message) => {
    if (message.role === 'tool') return [];
    const said = flatten(message.text, sizes.said);
    const calls = message.role === 'assistant' ? message.toolCalls : [];
    return [
      ...(said === '' ? [] : [`- said: ${said}`]),
      ...calls.map((call) =>
        lineOfCall(
          call,
          answers.find(({ callId }) => callId === call.id),
          sizes,
        ),
      ),
    ];
  });
}

function lineOfCall({ name, argsText }: ModelToolCall, answer: ToolMessage | undefined, sizes: LineSizes): string {
  const { text, isOutside } = bodyOf(answer?.text ?? '');
  const [artifactId] = /\b[0-9a-f]{64}\b/.exec(text) ?? [];
  // The note that elision left is not part of the output.
  const shown = flatten(artifactId === undefined ? text : text.replace(/^\[[^\n]*\]\n/, ''), sizes.answer);
  const kept = artifactId === undefined || shown.includes(artifactId) ? '' : ` [artifact ${artifactId}]`;
  return `- ${name}(${flatten(argsText, sizes.args)}) ${answer?.isError ? 'failed' : 'ok'}${isOutside ? ', external text' : ''}: ${shown}${kept}`;
}

/** Removes the delimiters around external content. */
function bodyOf(text: string): { text: string; isOutside: boolean } {
  const pointer = /^(\[[^\n]*\]\n)[^\n]*\n<<<\n([\s\S]*)\n>>>$/.exec(text);
  if (pointer) return { text: `${pointer[1]}${pointer[2]}`, isOutside: true };
  const inner = /^[^\n]*\n<<<\n([\s\S]*)\n>>>$/.exec(text)?.[1];
  return inner === undefined ? { text, isOutside: false } : { text: inner, isOutside: true };
}
