// Renders a pending decision for users who must not decide: its subject, and who can decide.
import type { OpenChat } from 'agent-harness/client';
import { ShieldQuestionMark } from 'lucide-react';
import { PlainText } from '../../kit/plain-text.tsx';
import { useSelected } from '../../kit/use-selected.ts';
import { summaryOf } from './call-arguments.ts';
import { t } from '../../kit/t.ts';
import './owner-decides.css';

export function OwnerDecides({ chat }: { readonly chat: OpenChat }) {
  const approvals = useSelected(chat.state, (state) => state.approvals);
  const questions = useSelected(chat.state, (state) => state.questions);
  return (
    <section className="decisions" aria-label={t('Decisions')}>
      {approvals.map((approval) => (
        <Waiting key={approval.approvalId} title={t('{name} waits for approval', { name: approval.name })} text={summaryOf(approval)} />
      ))}
      {questions.map(({ askId, prompt }) => (
        <Waiting key={askId} title={t('A question is waiting')} text={prompt} />
      ))}
    </section>
  );
}

function Waiting({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <div className="owner-decides" role="note" aria-label={title}>
      <ShieldQuestionMark size={18} aria-hidden className="approval-icon" />
      <div className="owner-decides-words">
        <p>{title}</p>
        <p className="owner-decides-text small">
          <PlainText text={text} />
        </p>
        <p className="muted small">{t('The owner decides at the computer.')}</p>
      </div>
    </div>
  );
}
