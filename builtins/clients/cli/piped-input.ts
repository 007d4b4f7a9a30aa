// Reads input piped into a command, which is added to the message.
import { untilAborted, withLimit } from '#lib/async';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { OutgoingAttachment } from './attached-files.ts';

export interface OutgoingMessage {
  readonly text: string;
  readonly attachments?: readonly OutgoingAttachment[];
}

/** Maximum length of input, in UTF-16 code units, that is included in the message; longer input becomes an attachment that the agent can page through. */
const inTextChars = 100_000;
/** Time limits for the first line, in milliseconds. Many parent processes leave a socket open that they never write to. */
const patienceMs = { pipe: 10_000, socket: 3_000 };

/** Reads to the end, or until the signal is aborted. */
export async function readAll(input: AsyncIterable<string>, signal: AbortSignal): Promise<string> {
  const lines = input[Symbol.asyncIterator]();
  const read: string[] = [];
  try {
    for (let next = await untilAborted(lines.next(), signal); !next.done; next = await untilAborted(lines.next(), signal)) read.push(next.value);
  } catch (fault) {
    if (!signal.aborted) throw fault;
    void lines.return?.(); // not awaited: a pending read would block the return
  }
  return read.join('\n');
}

/** Reads to the end of the input if the first line arrives in time. */
export async function readPiped(output: CliOutput, source: 'pipe' | 'socket'): Promise<string> {
  const lines = output.lines()[Symbol.asyncIterator]();
  const read: string[] = [];
  const first = await withLimit(lines.next(), patienceMs[source], () => 'silent' as const);
  if (first === 'silent') {
    await lines.return?.();
    output.err(
      `No input arrived on standard input for ${patienceMs[source] / 1_000} seconds; continuing without it. With '-' the command waits without a limit.\n`,
    );
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
