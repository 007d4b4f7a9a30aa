// Renders the page of pending approvals and questions from all chats, and the notification settings of this browser.
import { useMemo, useState, type ComponentProps } from 'react';
import { waitingElsewhere } from '../../attention/attention.ts';
import { NotifyButton } from '../../attention/notify-button.tsx';
import { usePending } from '../../attention/pending-context.ts';
import { Decisions } from '../../chat/decisions/decisions.tsx';
import { shownId, useSteady } from '../../chat/decisions/use-moved-cards.ts';
import { hashOf, useClient } from '../../kit/hooks.ts';
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { useSelected } from '../../kit/use-selected.ts';
import { Slot } from '../../points/slot.tsx';
import { t } from '../../kit/t.ts';
import { RetryWaits, useRetryWaits } from './retry-waits.tsx';
import './waiting.css';

export function WaitingPage() {
  const chats = useSelected(useClient().chats, (list) => list.chats);
  const pending = usePending();
  const waiting = waitingElsewhere(pending, undefined, chats);
  const ids = [...pending.approvals.map(shownId), ...pending.questions.map((one) => one.askId)].join(' ');
  const steady = useSteady(ids);
  const retries = useRetryWaits();
  const [chosen, choose] = useState<string>();
  const openId = pending.approvals.some(({ approvalId }) => approvalId === chosen) ? chosen : pending.approvals[0]?.approvalId;
  return (
    <PageFrame title={t('Approvals')} intro={t('Approvals and questions of all chats. The agent is paused until you decide.')}>
      {waiting.length === 0 && retries.waits.length === 0 && (
        <div className="page-card waiting-none">
          <p>{t('No pending decisions.')}</p>
          <p className="muted small">{t('Commands that need approval and questions of the agent appear here.')}</p>
        </div>
      )}
      {waiting.map(({ chatId, title }) => (
        <WaitingChat key={chatId} chatId={chatId} title={title} among={{ openId, onOpen: choose, steady }} />
      ))}
      <RetryWaits {...retries} />
      <section className="page-card padded" aria-label={t('Notifications')}>
        <p>
          <NotifyButton /> {t('The page title and its icon show the number of pending decisions.')}
        </p>
        <Slot name="notifications" />
      </section>
    </PageFrame>
  );
}

interface WaitingChatProps {
  readonly chatId: string;
  readonly title: string;
  readonly among: ComponentProps<typeof Decisions>['among'];
}

function WaitingChat({ chatId, title, among }: WaitingChatProps) {
  const client = useClient();
  const chat = useMemo(() => client.open(chatId), [client, chatId]);
  return (
    <section className="waiting-chat" aria-label={title}>
      <h2>
        <a href={hashOf({ page: 'chat', id: chatId })}>{title}</a>
      </h2>
      <Decisions chat={chat} {...(among ? { among } : {})} />
    </section>
  );
}
