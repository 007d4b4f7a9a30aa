// A plugin's view as a separate page: `#/view/<name>`.
import { goTo, useClient, useRoute, useStore } from '../kit/hooks.ts';
import { PageFrame } from '../kit/page/page-frame.tsx';
import { usePageChat } from '../kit/page/use-page-chat.ts';
import { t } from '../kit/t.ts';
import { ViewPanel } from '../kit/view/view-panel.tsx';
import { viewStoreOf } from './view-store.ts';

export function ViewPage() {
  const { id = '', query } = useRoute();
  const { chatId } = usePageChat();
  const row = useStore(viewStoreOf(useClient())).rows.find(({ name }) => name === id);
  if (!row) return null;
  const { name, title, description, parameters, changesOn = [] } = row;
  return (
    <PageFrame title={t(title)} {...(description === undefined ? {} : { intro: t(description) })}>
      <ViewPanel isOfAll {...{ name, changesOn, chatId, parameters }} given={query ?? {}} onGiven={(given) => goTo({ page: 'view', id: name, query: given })} />
    </PageFrame>
  );
}
