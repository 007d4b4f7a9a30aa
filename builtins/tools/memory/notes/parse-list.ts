// Parses and serializes the text of `.agent_notes.json` in portions, so that a large list does not block other work.
import { createSlices } from '#lib/event-loop';
import { isRecord, jsonOf } from '#lib/values';

/** Returns the entries of the map; `undefined` if the text is not a JSON object. */
export async function parseList(text: string, pause?: () => Promise<unknown>): Promise<[string, unknown][] | undefined> {
  return (await parseByLine(text, pause)) ?? parseWhole(text);
}

/** Parses the layout that this program writes, with one entry per line. Resolves with `undefined` for any other layout. */
async function parseByLine(text: string, pause?: () => Promise<unknown>): Promise<[string, unknown][] | undefined> {
  if (!text.startsWith('{\n') || !text.endsWith('\n}\n')) return undefined;
  const entries: [string, unknown][] = [];
  const end = text.length - 3;
  const slices = createSlices(pause);
  for (let from = 2; from < end;) {
    const lineEnd = text.indexOf('\n', from);
    const line = text.slice(from, lineEnd).replace(/,$/, '');
    const found = jsonOf(`{${line}}`) as object | undefined;
    if (!found) return undefined;
    entries.push(...Object.entries(found));
    from = lineEnd + 1;
    const over = slices();
    if (over) await over;
  }
  return entries;
}

function parseWhole(text: string): [string, unknown][] | undefined {
  const map = jsonOf(text.startsWith('\uFEFF') ? text.slice(1) : text);
  return isRecord(map) ? Object.entries(map) : undefined;
}

/** Yields the serialized entries in pieces. */
export async function* printList(entries: Iterable<readonly [string, unknown]>): AsyncGenerator<string> {
  let piece = '{\n';
  let isFirst = true;
  const slices = createSlices();
  for (const [id, entry] of entries) {
    piece += `${isFirst ? '' : ',\n'}${JSON.stringify(id)}:${JSON.stringify(entry)}`;
    isFirst = false;
    const over = slices();
    if (piece.length < 1 << 20 && !over) continue;
    yield piece;
    piece = '';
    await over;
  }
  yield `${piece}${isFirst ? '}\n' : '\n}\n'}`;
}
