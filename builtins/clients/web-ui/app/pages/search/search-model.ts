// Hits of a search: by chat, and what of an excerpt was searched for. Pure.
import type { ReplyOf } from 'agent-harness/client';

export type SearchHit = ReplyOf<'GET /api/chats/search'>['hits'][number];

export interface HitsOfChat {
  readonly chatId: string;
  readonly hits: readonly SearchHit[];
}

/** Chats in the order of their first hit. */
export function groupHits(hits: readonly SearchHit[]): HitsOfChat[] {
  const groups = new Map<string, SearchHit[]>();
  for (const hit of hits) groups.set(hit.chatId, [...(groups.get(hit.chatId) ?? []), hit]);
  return [...groups].map(([chatId, members]) => ({ chatId, hits: members }));
}

export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** Cuts a text at each place where the query stands, whatever its case and its white space. */
export function markMatches(text: string, query: string): TextPart[] {
  const words = query.trim().split(/\s+/).map(escapePattern);
  if (words.join('') === '') return [{ text, isMatch: false }];
  return text
    .split(new RegExp(`(${words.join('\\s+')})`, 'giu'))
    .map((part, index) => ({ text: part, isMatch: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
