// Searches the messages of users and models in one chat.
import { oneLine } from 'agent-harness/lib/text';
import { createSearchText, isSearched, type Said } from 'agent-harness/transcript';
import { parseEvent } from 'agent-harness/transcript/events';
import type { JournalLine } from 'agent-harness/plugins/storage';
import { peekLine } from './peek-line.ts';

const excerptBefore = 60;
const excerptLength = 200;

export interface SearchHit {
  readonly entryId: string;
  readonly at: string;
  readonly excerpt: string;
}

/**
 * Yields hits in chronological order.
 * @param wanted in lower case
 * @param budget bytes that may still be read; counted down
 */
export async function searchJournal(journal: AsyncIterable<readonly JournalLine[]>, wanted: string, budget: { bytes: number }): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  const said = createSearchText();

  function look(found: readonly Said[]): void {
    for (const { entryId, at, text } of found) {
      const start = text.toLowerCase().indexOf(wanted);
      if (start >= 0) hits.push({ entryId, at, excerpt: excerptOf(text, start) });
    }
  }

  for await (const lines of journal) {
    for (const line of lines) {
      budget.bytes -= line.text.length;
      const kind = peekLine(line.text)?.kind;
      const event = kind !== undefined && isSearched(kind) ? parseEvent(line.text) : undefined;
      if (event) look(said.take(event));
    }
    if (budget.bytes <= 0) break;
  }
  look(said.rest());
  return hits;
}

function excerptOf(text: string, found: number): string {
  const start = Math.max(0, found - excerptBefore);
  const cut = oneLine(text.slice(start, start + excerptLength));
  return `${start > 0 ? '… ' : ''}${cut}${start + excerptLength < text.length ? ' …' : ''}`;
}
