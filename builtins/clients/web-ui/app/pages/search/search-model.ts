// Groups search hits by chat, and marks the matches in excerpts. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { searchTerms } from 'agent-harness/transcript';

export type SearchHit = ReplyOf<'GET /api/chats/search'>['hits'][number];

export interface HitsOfChat {
  readonly chatId: string;
  readonly hits: readonly SearchHit[];
}

/** Groups hits by chat, in the order of the first hit of each chat. */
export function groupHits(hits: readonly SearchHit[]): HitsOfChat[] {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of hits) groups.set(hit.chatId, [...(groups.get(hit.chatId) ?? []), hit]);
  return [...groups].map(([chatId, members]) => ({ chatId, hits: members }));
}

export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Splits a text at each search term, ignoring case and white space. */
export function markMatches(text: string, query: string): TextPart[] {
  const patterns = [query.trim(), ...searchTerms(query)].filter((term) => term !== '').map((term) => term.split(/\s+/).map(escapePattern).join('\\s+'));
  if (patterns.length === 0) return [{ text, isMatch: false }];
  return text
    .split(new RegExp(`(${patterns.join('|')})`, 'giu'))
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
