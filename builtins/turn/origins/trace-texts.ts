// Finds the parts of a text that repeat earlier content of its chat, regardless of the author.
import type { Note } from 'agent-harness/builtins/tools/memory';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { Tools } from 'agent-harness/plugins/tools';
import type { OriginSpan, TextOrigin, TraceOptions } from './contract.ts';
import { foldJournal } from './fold-journal.ts';
import { squeeze, squeezeWithPlaces } from '#lib/squeeze';
import { createTextIndex, shortestMatch, type TextIndex } from './text-index.ts';

export interface TraceParts {
  readonly events: AsyncIterable<JournalEvent>;
  readonly notes: readonly Note[];
  readonly tools: Pick<Tools, 'find'>;
}

/** Limits: letters and digits of the chat's content and of a traced text; number of parts. */
const most = { seen: 2_000_000, text: 64_000, spans: 40 };

export async function traceTexts(
  { events, notes, tools }: TraceParts,
  texts: readonly string[],
  { before, withoutNote }: TraceOptions = {},
): Promise<OriginSpan[][]> {
  const seen = createTextIndex<TextOrigin>(most.seen);
  // Notes come first: of several equal sources, the newest is used, so content that the chat read takes precedence over a note.
  for (const { id, value, updatedAt, isForeign } of notes) {
    if (id !== withoutNote && (before === undefined || updatedAt < before.at))
      seen.add(squeeze(value), { kind: 'memory', ref: id, ...(isForeign ? { isOutside: true } : {}) });
  }
  await foldJournal(untilEvent(events, before), { add: (text, origin) => seen.add(squeeze(text), origin), clear: () => seen.clear() }, tools, {
    withTasks: true,
  });
  return texts.map((text) => spansIn(text.slice(0, most.text), seen));
}

async function* untilEvent(events: AsyncIterable<JournalEvent>, before: TraceOptions['before']): AsyncIterable<JournalEvent> {
  for await (const event of events) {
    if (before !== undefined && event.id >= before.id) return;
    yield event;
  }
}

function spansIn(text: string, seen: TextIndex<TextOrigin>): OriginSpan[] {
  const squeezed = squeezeWithPlaces(text);
  if (squeezed.text.length < shortestMatch) return [];
  return seen
    .find(squeezed.text)
    .slice(0, most.spans)
    .map(({ start, end, source }) => ({
      start: squeezed.places[start] ?? 0,
      end: (squeezed.places[end - 1] ?? text.length - 1) + 1,
      origin: source,
      ...(end - start === squeezed.text.length ? { isWhole: true as const } : {}),
    }));
}
