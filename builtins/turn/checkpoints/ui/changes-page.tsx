// Renders the page with the file changes that the agent made in a chat.
import { hashOf, useClient, useRoute, useStore } from '#page/kit/hooks.ts';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { ChangesList } from './changes-list.tsx';
import { useChanges } from './use-changes.ts';
import { t } from '#page/kit/t.ts';

export function ChangesPage() {
  const { id: chatId = '' } = useRoute();
  const title = useStore(useClient().chats).chats.find((chat) => chat.chatId === chatId)?.title;
  const loaded = useChanges(chatId);
  const back = <a href={hashOf({ page: 'chat', id: chatId })}>{title ?? t('the chat')}</a>;
  return (
    <PageFrame
      title={t('Changes')}
      intro={
        <>
          {t('Files that the agent changed in')} {back}.
        </>
      }
      isBusy={loaded.isLoading}
    >
      <WhenLoaded loaded={loaded} what={t('changes')}>
        {(changes) => <ChangesList chatId={chatId} changes={changes} onUndone={loaded.reload} />}
      </WhenLoaded>
    </PageFrame>
  );
}
