// The dock above the composer: what waits for a person, here and in other chats.
import type { OpenChat } from 'agent-harness/client';
import { useClient } from '../hooks.ts';
import { ApprovalCard } from './approval-card.tsx';
import { waitingElsewhere } from './attention.ts';
import { NotifyButton } from './notify-button.tsx';
import { QuestionCard } from './question-card.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { usePending } from './use-pending.ts';
import { useSelected } from './use-selected.ts';
import { useSteady } from './use-steady.ts';
import './decisions.css';

export function Decisions({ chat }: { readonly chat: OpenChat }) {
  const client = useClient();
  const approvals = useSelected(chat.state, (state) => state.approvals);
  const questions = useSelected(chat.state, (state) => state.questions);
  const chats = useSelected(client.chats, (list) => list.chats);
  const elsewhere = waitingElsewhere(usePending(client), chat.chatId, chats);
  const ids = [...approvals.map((one) => one.approvalId), ...questions.map((one) => one.askId)].join(' ');
  const { isSteady, expectGone } = useSteady(ids);
  const { dock, onFocus, onBlur } = useKeptFocus(ids);
  const count = approvals.length + questions.length;
  const first = approvals[0];

  return (
    <>
      <div className="visually-hidden" aria-live="polite">
        {first ? `${first.name} waits for approval.` : questions[0] ? `A question waits: ${questions[0].prompt}` : ''}
      </div>
      {(count > 0 || elsewhere.length > 0) && (
        <section ref={dock} className="decisions" aria-label="Decisions" onFocus={onFocus} onBlur={onBlur}>
          {count > 0 && (
            <div className="decisions-head">
              <h2 className="small">{count === 1 ? 'A decision waits' : `${count} decisions wait`}</h2>
              <NotifyButton />
            </div>
          )}
          {approvals.map((approval) => (
            <ApprovalCard key={approval.approvalId} chat={chat} approval={approval} isOnTop={approval === first} isSteady={isSteady} onDecided={expectGone} />
          ))}
          {questions.map((question) => (
            <QuestionCard key={question.askId} chat={chat} question={question} isSteady={isSteady} onDecided={expectGone} />
          ))}
          {elsewhere.map(({ chatId, title, count: waiting }) => (
            <a key={chatId} className="decisions-elsewhere small" href={`#/chat/${encodeURIComponent(chatId)}`}>
              {waiting === 1 ? '1 decision waits' : `${waiting} decisions wait`} in <b>{title}</b>
            </a>
          ))}
        </section>
      )}
    </>
  );
}
