// Renders the view of a plugin as a separate page, `#/view/<name>`, with tabs for the views that belong to it.
import { goTo, hashOf, useClient, useRoute, useStore } from '../kit/hooks.ts';
import { PageFrame } from '../kit/page/page-frame.tsx';
import { usePageChat } from '../kit/page/use-page-chat.ts';
import { t } from '../kit/t.ts';
import { ViewPanel } from '../kit/view/view-panel.tsx';
import './view-page.css';
import { viewStoreOf } from './view-store.ts';

export function ViewPage() {
  const { id = '', query } = useRoute();
  const { chatId } = usePageChat();
  const { rows } = useStore(viewStoreOf(useClient()));
  const row = rows.find(({ name }) => name === id);
  if (!row) return null;
  const { name, description, parameters, changesOn = [] } = row;
  const page = rows.find((one) => one.name === row.tabOf) ?? row;
  const tabs = rows.filter(({ tabOf }) => tabOf === page.name);
  return (
    <PageFrame title={t(page.title)} {...(description === undefined ? {} : { intro: t(description) })}>
      {tabs.length > 0 && (
        <nav className="view-tabs" aria-label={t(page.title)}>
          {[page, ...tabs].map((one) => (
            <a key={one.name} href={hashOf({ page: 'view', id: one.name })} {...(one.name === name ? { 'aria-current': 'page' as const } : {})}>
              {one.name === page.name ? t('Overview') : t(one.title)}
            </a>
          ))}
        </nav>
      )}
      <ViewPanel isOfAll {...{ name, changesOn, chatId, parameters }} given={query ?? {}} onGiven={(given) => goTo({ page: 'view', id: name, query: given })} />
    </PageFrame>
  );
}
