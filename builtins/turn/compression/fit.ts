// Shortens an oversized request as a last resort: truncates the longest texts in the middle, whatever their age, and reduces the oldest rounds to lines if
// necessary.
import { clip } from '#lib/text';
import type { ModelMessage, ModelToolCall } from 'agent-harness/plugins/models';
import { hasForeignText, splitParts, type Part } from './conversation-parts.ts';
import { foldLines } from './fold-lines.ts';
import { reading } from './lay-out.ts';
import { charsOf, charsOfAll } from './measure.ts';
import { lineSizes, linesOfRound } from './one-liners.ts';
import { cutMiddle, flatten, withoutMedia } from './shorten.ts';

export interface FitTask {
  readonly messages: readonly ModelMessage[];
  /** Space for the messages in UTF-16 code units. */
  readonly room: number;
  /** Stores a full text. Resolves with the id of its artifact, or with `undefined` on failure. */
  save(text: string, from: readonly ModelMessage[]): Promise<string | undefined>;
  /** Stores the full text of messages that were removed; resolves as `save` does. */
  saveAll(messages: readonly ModelMessage[]): Promise<string | undefined>;
}

/** Minimum length of a truncated text in UTF-16 code units; a quarter of this is for the truncation note. */
const leastText = 1_000;
/** Share of the space that is used for the lines of removed rounds. */
const linesShare = 0.25;
const wishLimit = 2_000;
const shownArgument = 80;

/** Returns messages that fit into the space, unless the space is smaller than a few lines. */
export async function fitMessages(task: FitTask): Promise<ModelMessage[]> {
  const lighter = dropMedia(task.messages, task.room);
  const parts = splitParts(lighter);
  const first = parts.findIndex((part) => charsAt(lighter.slice(part.start), leastText) <= roomFrom(task.room, part.start));
  const start = parts[first]?.start ?? lighter.length;
  const head =
    start === 0
      ? []
      : await foldParts(
          task,
          lighter,
          parts.filter((part) => part.end <= start),
        );
  const rest = lighter.slice(start);
  const limit = longestText(rest, task.room - charsOfAll(head));
  return [...head, ...(await Promise.all(rest.map((message) => cutMessage(message, limit, task))))];
}

const roomFrom = (room: number, start: number): number => (start === 0 ? room : room * (1 - linesShare) - wishLimit);

/** Removes media, oldest first, while the messages would not fit even with truncated texts. */
function dropMedia(messages: readonly ModelMessage[], room: number): readonly ModelMessage[] {
  const kept = [...messages];
  for (const [at, message] of kept.entries()) {
    const lighter = withoutMedia(message);
    if (lighter === message) continue;
    if (charsAt(kept, leastText) <= room) break;
    kept[at] = lighter;
  }
  return kept;
}

/** Returns the maximum length of a text at which all messages fit; short texts leave more space for long ones. */
function longestText(messages: readonly ModelMessage[], room: number): number {
  let low = leastText;
  let high = Math.max(leastText, ...messages.map(charsOf));
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (charsAt(messages, middle) <= room) low = middle;
    else high = middle - 1;
  }
  return low;
}

function charsAt(messages: readonly ModelMessage[], limit: number): number {
  return messages.reduce((sum, message) => sum + charsOf(message) - lessOf(message, limit), 0);
}

function lessOf(message: ModelMessage, limit: number): number {
  const texts = message.role === 'assistant' ? [message.text, ...message.toolCalls.map(({ argsText }) => argsText)] : [message.text];
  return texts.reduce((sum, text) => sum + Math.max(0, text.length - limit), 0);
}

async function cutMessage(message: ModelMessage, limit: number, task: FitTask): Promise<ModelMessage> {
  const text = message.text.length <= limit ? message.text : await cutText(message, limit, task);
  if (message.role !== 'assistant') return text === message.text ? message : { ...message, text };
  const toolCalls = await Promise.all(message.toolCalls.map(async (call) => (call.argsText.length <= limit ? call : cutArguments(call, message, limit, task))));
  return { ...message, text, toolCalls };
}

async function cutText(message: ModelMessage, limit: number, { save }: FitTask): Promise<string> {
  const note = `\n[… cut to fit the context, ${message.text.length} characters total${placeOf(await save(message.text, [message]))} …]\n`;
  return cutMiddle(message.text, limit, note);
}

const placeOf = (artifactId: string | undefined): string =>
  artifactId === undefined ? '' : `; full text: read_artifact with id "${artifactId}", startLine and endLine for a part`;

/** Truncates the arguments of a call, which stay a JSON object. */
async function cutArguments(call: ModelToolCall, message: ModelMessage, limit: number, { save }: FitTask): Promise<ModelToolCall> {
  const place = placeOf(await save(call.argsText, [message]));
  const note = `[… cut to fit the context${place} …]`;
  const shorten = (_: string, value: unknown): unknown =>
    typeof value === 'string' && value.length > shownArgument ? `${clip(value, shownArgument)} ${note}` : value;
  try {
    const argsText = JSON.stringify(JSON.parse(call.argsText), shorten);
    if (argsText.length <= limit) return { ...call, argsText };
  } catch {
    // invalid JSON, for which the model received an error
  }
  return { ...call, argsText: JSON.stringify({ note }) };
}

/** Keeps the newest request as a user message, and reduces all other parts to lines. */
async function foldParts(task: FitTask, messages: readonly ModelMessage[], parts: readonly Part[]): Promise<ModelMessage[]> {
  const wish = parts.findLast(({ kind }) => kind === 'user');
  const lines = parts.flatMap((part) =>
    part.kind === 'user' ? [`# the user: ${flatten(messages[part.start]?.text ?? '', lineSizes.said)}`] : linesOfRound(messages, part, lineSizes),
  );
  const artifactId = await task.saveAll(messages.slice(0, parts.at(-1)?.end ?? 0));
  return [
    ...(wish ? [{ role: 'user' as const, text: clip(messages[wish.start]?.text ?? '', Math.min(wishLimit, task.room / 4)) }] : []),
    ...reading(artifactId, `parts_${parts.length}`, foldLines(lines, task.room * linesShare), hasForeignText(messages.slice(0, parts.at(-1)?.end ?? 0))),
  ];
}
