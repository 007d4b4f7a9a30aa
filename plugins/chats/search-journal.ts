// Finds a text in what people and the model said in one chat.
import { peekLine, readLines } from './journal-file.ts';
import { parseEvent } from './parse-event.ts';

const excerptBefore = 60;
const excerptLength = 200;

export interface SearchHit {
  readonly entryId: string;
  readonly at: string;
  readonly excerpt: string;
}

interface Reply {
  readonly at: string;
  text: string;
}

/**
 * Hits in the order in which they were said.
 * @param wanted in lower case
 * @param budget how many bytes may still be read; counted down
 */
export async function searchJournal(path: string, wanted: string, budget: { bytes: number }): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  const replies = new Map<string, Reply>();

  function look(entryId: string, at: string, text: string): void {
    const found = text.toLowerCase().indexOf(wanted);
    if (found >= 0) hits.push({ entryId, at, excerpt: excerptOf(text, found) });
  }
  function settle(): void {
    for (const [messageId, { at, text }] of replies) look(messageId, at, text);
    replies.clear();
  }

  for await (const lines of readLines(path)) {
    for (const line of lines) {
      budget.bytes -= line.text.length;
      const kind = peekLine(line.text)?.kind;
      if (kind === 'turn_end') settle();
      if (kind !== 'message_accepted' && kind !== 'text') continue;
      const event = parseEvent(line.text) as { at: string; messageId: string; text: string; channel?: string; offset: number; delta: string } | undefined;
      if (!event) continue;
      if (kind === 'message_accepted') look(event.messageId, event.at, event.text);
      else {
        // What it thought begins the entry, too, but is not searched.
        const reply = replies.get(event.messageId) ?? { at: event.at, text: '' };
        if (event.channel === 'user')
          reply.text = event.offset < reply.text.length ? reply.text.slice(0, event.offset) + event.delta : reply.text + event.delta;
        replies.set(event.messageId, reply);
      }
    }
    if (budget.bytes <= 0) break;
  }
  settle();
  return hits;
}

function excerptOf(text: string, found: number): string {
  const start = Math.max(0, found - excerptBefore);
  const cut = text
    .slice(start, start + excerptLength)
    .replace(/\s+/g, ' ')
    .trim();
  return `${start > 0 ? '… ' : ''}${cut}${start + excerptLength < text.length ? ' …' : ''}`;
}
