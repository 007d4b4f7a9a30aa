// Searches the journals of chats, newest chats first, and yields to the event loop between chats.
import { createSlices } from '#lib/event-loop';
import type { JournalLine } from 'agent-harness/plugins/storage';
import { searchJournal, type SearchHit } from '../journal/search-journal.ts';

/** Maximum number of bytes of journals that one search reads. */
const mostBytes = 256 * 1024 * 1024;

/** Returns the matching messages. @param chatIds ids of the chats, in search order */
export async function searchChats(
  chatIds: readonly string[],
  query: string,
  limit: number,
  journalOf: (chatId: string) => AsyncIterable<readonly JournalLine[]>,
): Promise<(SearchHit & { chatId: string })[]> {
  const hits: (SearchHit & { chatId: string })[] = [];
  const budget = { bytes: mostBytes };
  const pause = createSlices();
  for (const chatId of chatIds) {
    if (hits.length >= limit || budget.bytes <= 0) break;
    const found = await searchJournal(journalOf(chatId), query, budget);
    await pause();
    for (const hit of found.reverse().slice(0, limit - hits.length)) hits.push({ chatId, ...hit });
  }
  return hits;
}
