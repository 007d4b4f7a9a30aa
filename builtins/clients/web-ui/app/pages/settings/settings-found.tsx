// Renders the results of a settings search across topics, best first, and pages with related options.
import type { Settings } from 'agent-harness/client';
import { useMemo, type ReactNode } from 'react';
import { hashOf } from '../../kit/hooks.ts';
import { routeOf } from '../../points/contribution.ts';
import { usePages } from '../../points/use-contributions.ts';
import { lookWords, noticeWords } from './look-card.tsx';
import type { SettingField } from './settings-model.ts';
import { createSearch, type Place } from './settings-search.ts';
import { t, tn } from '../../kit/t.ts';

/** Maximum number of results; users can narrow the search with another word. */
const mostFields = 20;
const mostPages = 4;

const ownPlaces: readonly Place[] = [
  {
    id: 'provider',
    title: /* t */ 'Provider',
    words: /* t */ 'connect model api key openai anthropic openrouter ollama local inference managed byok account demo answers',
  },
  { id: 'look', title: /* t */ 'Theme', words: lookWords },
  { id: 'notices', title: /* t */ 'Notifications', words: noticeWords },
];

export interface SettingsFoundProps {
  readonly settings: Settings;
  readonly query: string;
  readonly providerCard: ReactNode;
  readonly lookCard: ReactNode;
  readonly rowOf: (field: SettingField, topic: string | undefined) => ReactNode;
}

export function SettingsFound({ settings: { fields, tabs }, query, providerCard, lookCard, rowOf }: SettingsFoundProps) {
  const pages = usePages();
  const search = useMemo(() => {
    const linked = pages.filter(({ place }) => place === undefined || place === 'first' || place === 'chats');
    return createSearch(fields, [...ownPlaces, ...linked.map((link) => ({ id: hashOf(routeOf(link)), title: link.title, words: link.words }))]);
  }, [fields, pages]);
  const found = useMemo(() => search(query), [search, query]);
  const shown = found.fields.slice(0, mostFields);
  const links = pages.filter((link) => found.places.includes(hashOf(routeOf(link)))).slice(0, mostPages);
  const hasLook = found.places.includes('look') || found.places.includes('notices');
  const count = found.fields.length + found.places.length;

  return (
    <>
      <p className="muted" role="status">
        {count === 0 && t('Nothing found. Search for an effect or the name of a variable.')}
        {count > 0 &&
          (found.isNear
            ? t('No setting contains all of these words. {matches} for some of them', { matches: tn(count, '{count} match', '{count} matches') })
            : `${tn(count, '{count} match', '{count} matches')}`)}
      </p>
      {links.length > 0 && (
        <nav className="settings-elsewhere" aria-label={t('Pages found')}>
          {links.map((link) => (
            <a key={hashOf(routeOf(link))} className="button" href={hashOf(routeOf(link))}>
              <link.icon size={16} aria-hidden /> {t(link.title)}
            </a>
          ))}
        </nav>
      )}
      {found.places.includes('provider') && providerCard}
      {hasLook && lookCard}
      {shown.length > 0 && (
        <section className="page-card" aria-label={t('Settings found')}>
          {shown.map((field) => rowOf(field, tabs.find(({ id }) => id === field.tab)?.title))}
        </section>
      )}
      {found.fields.length > shown.length && (
        <p className="muted small">{t('{count} more; add a word to narrow the search.', { count: found.fields.length - shown.length })}</p>
      )}
    </>
  );
}
