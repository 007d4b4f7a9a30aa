// Searches a chat's journal for messages by users and models that contain all terms.
import { oneLine } from '#lib/text';
import { createSearchText, isSearched, searchTerms, type SearchedMessage } from 'agent-harness/transcript';
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
 * Returns the matching messages in chronological order.
 * @param query terms, which must all occur in one message
 * @param budget remaining number of bytes to read; decremented while reading
 */
export async function searchJournal(journal: AsyncIterable<readonly JournalLine[]>, query: string, budget: { bytes: number }): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  const said = createSearchText();
  const terms = searchTerms(query);
  const phrase = query.trim().toLowerCase();

  function look(found: readonly SearchedMessage[]): void {
    for (const { entryId, at, text } of found) {
      const lower = text.toLowerCase();
      const starts = terms.map((term) => lower.indexOf(term));
      if (terms.length === 0 || starts.includes(-1)) continue;
      const whole = lower.indexOf(phrase);
      hits.push({ entryId, at, excerpt: excerptOf(text, whole >= 0 ? whole : Math.min(...starts)) });
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
