// The view of a plugin as a page of its own: `#/view/<name>`.
import { useClient, useRoute, useStore } from '../kit/hooks.ts';
import { PageFrame } from '../kit/page/page-frame.tsx';
import { usePageChat } from '../kit/page/use-page-chat.ts';
import { t } from '../kit/t.ts';
import { ViewPanel } from '../kit/view/view-panel.tsx';
import { viewStoreOf } from './view-store.ts';

export function ViewPage() {
  const { id = '' } = useRoute();
  const { chatId } = usePageChat();
  const row = useStore(viewStoreOf(useClient())).rows.find(({ name }) => name === id);
  if (!row) return null;
  const { name, title, description, changesOn = [] } = row;
  return (
    <PageFrame title={t(title)} {...(description === undefined ? {} : { intro: t(description) })}>
      <ViewPanel name={name} changesOn={changesOn} chatId={chatId} />
    </PageFrame>
  );
}
