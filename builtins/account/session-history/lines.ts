// Converts the events of a chat into redacted lines and splits them into chunks for upload. Pure.
import { redactSecrets } from '#lib/secrets';
import { textStart } from '#lib/text';
import { jsonOf } from '#lib/values';

export interface LineChunk {
  readonly lines: readonly string[];
  /** Id of the last event in the chunk. */
  readonly lastId: number;
}

/** Maximum number of lines in a chunk. */
const chunkLines = 500;
/** Maximum size of a chunk in UTF-16 code units. */
const chunkSize = 1_000_000;
/** Maximum length of one text and of one line in characters; longer ones are truncated. */
const longestText = 100_000;
const longestLine = 200_000;

/**
 * Yields the events as chunks of redacted lines.
 * @param pendingId last event of the first chunk, if an earlier upload of it was started
 * @param change applied to each event before it is serialised
 */
export function* chunksOf(
  events: readonly { readonly id: number; readonly json: string }[],
  pendingId: number | undefined,
  change?: (event: unknown) => unknown,
): Generator<LineChunk> {
  let lines: string[] = [];
  let size = 0;
  for (const [at, { id, json }] of events.entries()) {
    const line = lineOf(json, change);
    lines.push(line);
    size += line.length;
    const isPending = pendingId !== undefined && id <= pendingId;
    const isFull = isPending ? id === pendingId : lines.length >= chunkLines || size >= chunkSize;
    if (!isFull && at < events.length - 1) continue;
    yield { lines, lastId: id };
    [lines, size] = [[], 0];
  }
}

/** Serialises one event after removing possible secrets, audio and images. */
export function lineOf(json: string, change: (event: unknown) => unknown = (event) => event): string {
  const line = JSON.stringify(cleaned(change(jsonOf(json))));
  return line.length <= longestLine ? line : JSON.stringify({ cut: textStart(line, longestLine / 4) });
}

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return redactSecrets(textStart(value, longestText));
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner)]));
}
