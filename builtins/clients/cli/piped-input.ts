// What was piped into a command: read whole, and sent along with what was asked.
import { untilAborted, withLimit } from 'agent-harness/lib/async';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { OutgoingAttachment } from './attached-files.ts';

export interface OutgoingMessage {
  readonly text: string;
  readonly attachments?: readonly OutgoingAttachment[];
}

/** UTF-16 units that stand in the message itself; more is a file beside it, which the agent can page through. */
const inTextChars = 100_000;
/** Milliseconds until the first line. A program that starts others may leave them an input that never says anything. */
const patienceMs = 10_000;

/** To its end, or as far as it came when the signal is aborted. */
export async function readAll(input: AsyncIterable<string>, signal: AbortSignal): Promise<string> {
  const lines = input[Symbol.asyncIterator]();
  const read: string[] = [];
  try {
    for (let next = await untilAborted(lines.next(), signal); !next.done; next = await untilAborted(lines.next(), signal)) read.push(next.value);
  } catch (fault) {
    if (!signal.aborted) throw fault;
    void lines.return?.(); // one that waits for its line does not return before it
  }
  return read.join('\n');
}

/** Reads to the end what begins in time. */
export async function readPiped(output: CliOutput): Promise<string> {
  const lines = output.lines()[Symbol.asyncIterator]();
  const read: string[] = [];
  const first = await withLimit(lines.next(), patienceMs, () => 'silent' as const);
  if (first === 'silent') {
    await lines.return?.();
    output.err(`Nothing came on standard input for ${patienceMs / 1_000} seconds; going on without it. '-' waits for as long as it takes.\n`);
    return '';
  }
  for (let next = first; !next.done; next = await lines.next()) read.push(next.value);
  return read.join('\n');
}

export function withPiped(text: string, piped: string, attached: readonly OutgoingAttachment[] = []): OutgoingMessage {
  const files = attached.length === 0 ? {} : { attachments: attached };
  if (piped.trim() === '') return { text, ...files };
  if (piped.length <= inTextChars) return { ...files, text: `${text}\n\n<standard_input>\n${piped}\n</standard_input>` };
  const dataUrl = `data:text/plain;base64,${Buffer.from(piped, 'utf8').toString('base64')}`;
  return { text, attachments: [...attached, { name: 'standard-input.txt', dataUrl }] };
}
