// Renders the pending decisions of this chat and other chats, in a dock above the composer.
import type { OpenChat } from 'agent-harness/client';
import { useState } from 'react';
import { ApprovalCard } from './approval-card.tsx';
import { QuestionCard } from './question-card.tsx';
import { useRestoredFocus } from './use-restored-focus.ts';
import { hostOnly } from '../../kit/host-only.tsx';
import { useSelected } from '../../kit/use-selected.ts';
import { usePermission } from '../../points/use-permission.ts';
import { OwnerDecides } from './owner-decides.tsx';
import { shownId, useSteady, type Steady } from './use-moved-cards.ts';
import { OtherChatsWaiting } from '../../attention/other-chats-waiting.tsx';
import { t } from '../../kit/t.ts';
import './decisions.css';

interface DecisionsProps {
  readonly chat: OpenChat;
  /** Cards of all chats: one is expanded and receives the shortcuts. */
  readonly among?: { readonly openId: string | undefined; readonly onOpen: (approvalId: string) => void; /** Covers all cards. */ readonly steady: Steady };
}

export function Decisions({ chat, among }: DecisionsProps) {
  return usePermission('approvals.write') ? <OwnDecisions chat={chat} {...(among ? { among } : {})} /> : <OwnerDecides chat={chat} />;
}

function OwnDecisions({ chat, among }: DecisionsProps) {
  const approvals = useSelected(chat.state, (state) => state.approvals);
  const questions = useSelected(chat.state, (state) => state.questions);
  const [chosen, choose] = useState<string>();
  const ids = [...approvals.map((one) => one.approvalId), ...questions.map((one) => one.askId)].join(' ');
  const own = useSteady([...approvals.map(shownId), ...questions.map((one) => one.askId)].join(' '));
  const { isSteady, isSettling, expectGone } = among?.steady ?? own;
  const { dock, onFocus, onBlur } = useRestoredFocus(ids);
  const open = among ? approvals.find((one) => one.approvalId === among.openId) : (approvals.find((one) => one.approvalId === chosen) ?? approvals[0]);

  return (
    <section ref={dock} className="decisions" aria-label={t('Decisions')} {...hostOnly} data-guest-decision onFocus={onFocus} onBlur={onBlur}>
      {approvals.map((approval, index) => (
        <ApprovalCard
          key={approval.approvalId}
          chat={chat}
          approval={approval}
          isOpen={approval === open}
          {...(approvals.length > 1 ? { place: t('{index} of {count}', { index: index + 1, count: approvals.length }) } : {})}
          onOpen={among?.onOpen ?? choose}
          isSteady={isSteady}
          isSettling={isSettling}
          onDecided={expectGone}
        />
      ))}
      {questions.map((question) => (
        <QuestionCard key={question.askId} chat={chat} question={question} isSteady={isSteady} isSettling={isSettling} onDecided={expectGone} />
      ))}
      {!among && <OtherChatsWaiting chatId={chat.chatId} />}
    </section>
  );
}
