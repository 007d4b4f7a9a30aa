// Renders the results of a search, grouped by chat.
import type { ChatMeta } from 'agent-harness/client';
import { hashOf } from '../../kit/hooks.ts';
import { AnnotationLine } from '../../kit/annotation-line.tsx';
import { formatTime } from '../../kit/page/format.ts';
import { groupHits, markMatches, type SearchHit } from './search-model.ts';
import { t, tn, tx } from '../../kit/t.ts';

export interface SearchResultsProps {
  readonly hits: readonly SearchHit[];
  readonly query: string;
  readonly chats: readonly ChatMeta[];
  /** Maximum number of hits. */
  readonly limit: number;
}

export function SearchResults({ hits, query, chats, limit }: SearchResultsProps) {
  const titles = new Map(chats.map((chat) => [chat.chatId, chat.title]));
  const groups = groupHits(hits);
  if (groups.length === 0) {
    return (
      <p className="page-empty" role="status">
        {tx('{strong} Only messages are searched, not the output of tools.', {
          strong: <strong>{t('Nothing found for “{query}”.', { query })}</strong>,
        })}
      </p>
    );
  }
  return (
    <>
      <p className="muted small search-count" role="status">
        {t('{hits} in {chats}', {
          hits:
            hits.length >= limit ? t('The first {hits}', { hits: tn(limit, '{count} hit', '{count} hits') }) : tn(hits.length, '{count} hit', '{count} hits'),
          chats: tn(groups.length, '{count} chat', '{count} chats'),
        })}
      </p>
      {groups.map((group) => (
        <section key={group.chatId} className="search-chat">
          <h2>
            <a href={hashOf({ page: 'chat', id: group.chatId })}>{titles.get(group.chatId) || t('Untitled chat')}</a>
          </h2>
          <ul className="page-card search-hits">
            {group.hits.map((hit) => (
              <li key={hit.entryId}>
                <a href={hashOf({ page: 'chat', id: hit.chatId, part: hit.entryId })} className="search-hit">
                  <span className="search-hit-text">
                    {markMatches(hit.excerpt, query).map((part, index) => (part.isMatch ? <mark key={index}>{part.text}</mark> : part.text))}
                  </span>
                  <time dateTime={hit.at} className="muted small">
                    {formatTime(hit.at)}
                  </time>
                  <AnnotationLine labels={hit.marks ?? []} />
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}
