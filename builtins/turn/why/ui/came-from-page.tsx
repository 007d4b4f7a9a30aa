// Renders the page that lists all items derived from a chat, for review before the chat is deleted.
import { useRoute } from '#page/kit/hooks.ts';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { t } from '#page/kit/t.ts';
import { ViewPanel } from '#page/kit/view/view-panel.tsx';

export function CameFromPage() {
  const { id = '' } = useRoute();
  return (
    <PageFrame title={t('Derived items')}>
      <ViewPanel name="why" changesOn={['memory_changed']} given={{ about: 'chat', chat: id }} />
    </PageFrame>
  );
}
