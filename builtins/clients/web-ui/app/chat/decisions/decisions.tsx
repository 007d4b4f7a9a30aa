// The dock above the composer: what waits for a person, here and in other chats.
import type { OpenChat } from 'agent-harness/client';
import { useState } from 'react';
import { ApprovalCard } from './approval-card.tsx';
import { QuestionCard } from './question-card.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useSelected } from '../../kit/use-selected.ts';
import { useSteady } from './use-steady.ts';
import { WaitingElsewhere } from '../../attention/waiting-elsewhere.tsx';
import './decisions.css';

export function Decisions({ chat }: { readonly chat: OpenChat }) {
  const approvals = useSelected(chat.state, (state) => state.approvals);
  const questions = useSelected(chat.state, (state) => state.questions);
  const [chosen, choose] = useState<string>();
  const ids = [...approvals.map((one) => one.approvalId), ...questions.map((one) => one.askId)].join(' ');
  const { isSteady, expectGone } = useSteady(ids);
  const { dock, onFocus, onBlur } = useKeptFocus(ids);
  const open = approvals.find((one) => one.approvalId === chosen) ?? approvals[0];

  return (
    <section ref={dock} className="decisions" aria-label="Decisions" onFocus={onFocus} onBlur={onBlur}>
      {approvals.map((approval, index) => (
        <ApprovalCard
          key={approval.approvalId}
          chat={chat}
          approval={approval}
          isOpen={approval === open}
          {...(approvals.length > 1 ? { place: `${index + 1} of ${approvals.length}` } : {})}
          onOpen={choose}
          isSteady={isSteady}
          onDecided={expectGone}
        />
      ))}
      {questions.map((question) => (
        <QuestionCard key={question.askId} chat={chat} question={question} isSteady={isSteady} onDecided={expectGone} />
      ))}
      <WaitingElsewhere chatId={chat.chatId} />
    </section>
  );
}
