// Renders the page that searches the messages of all chats.
import { useEffect } from 'react';
import { useClient, useStore } from '../../kit/hooks.ts';
import { SearchResults } from './search-results.tsx';
import './search.css';
import { useQuery } from './use-query.ts';
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { SearchField } from '../../kit/page/search-field.tsx';
import { FieldTools } from '../../points/field-tools.tsx';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';
import { t, tx } from '../../kit/t.ts';

/** Maximum number of hits that the server returns. */
const limit = 200;

export function SearchPage() {
  const client = useClient();
  const { chats } = useStore(client.chats);
  const { text, settled, setText } = useQuery();
  const loaded = useLoaded(settled === '' ? undefined : settled, async (signal) => {
    const { hits } = await client.call('GET /api/chats/search', { query: { q: settled, limit }, signal });
    return { hits, query: settled };
  });
  const { reload } = loaded;
  const found = loaded.value?.hits;
  useEffect(
    () =>
      client.on(({ kind, chatId }) => {
        const isOfHit = kind === 'entry_marked' && found?.some((hit) => hit.chatId === chatId);
        if (isOfHit === true || kind === 'entry_marks_changed') reload();
      }),
    [client, found, reload],
  );

  return (
    <PageFrame title={t('Search messages')} intro={t('Searches the messages of all chats.')} isBusy={loaded.isLoading}>
      <form role="search" className="page-filters" onSubmit={(event) => event.preventDefault()}>
        <FieldTools>
          <SearchField label={t('Search all chats')} placeholder={t('Search all chats')} value={text} onChange={setText} autoFocus />
        </FieldTools>
      </form>
      {settled === '' ? (
        <p className="page-empty">{tx('{strong} Upper and lower case make no difference.', { strong: <strong>{t('Type a word or a phrase.')}</strong> })}</p>
      ) : (
        <div className="search-results" data-stale={loaded.isLoading}>
          <WhenLoaded loaded={loaded} what={t('hits')}>
            {({ hits, query }) => <SearchResults hits={hits} query={query} chats={chats} limit={limit} />}
          </WhenLoaded>
        </div>
      )}
    </PageFrame>
  );
}
