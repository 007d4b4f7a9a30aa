// One tool call that waits for a decision, with everything that is needed to judge it.
import type { Approval, OpenChat } from 'agent-harness/client';
import { ChevronDown, ShieldQuestionMark } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { Choices, Remember } from './approval-choices.tsx';
import { ApprovalDetails } from './approval-details.tsx';
import { summaryOf } from './call-arguments.ts';
import { EditForm } from './edit-form.tsx';
import { PlainText } from './plain-text.tsx';
import { RejectForm } from './reject-form.tsx';
import { TimeBar } from './time-bar.tsx';
import { useDeciding } from './use-deciding.ts';
import { useDecisionKeys } from './use-decision-keys.ts';
import './approval-card.css';

export interface ApprovalCardProps {
  readonly chat: OpenChat;
  readonly approval: Approval;
  /** The keys act on it, and its details are open. */
  readonly isOnTop: boolean;
  /** False right after the cards moved by themselves: a press now may be meant for the card that was there. */
  readonly isSteady: () => boolean;
  readonly onDecided: (approvalId: string) => void;
}

type Mode = 'judge' | 'edit' | 'reject';

export const ApprovalCard = memo(function ApprovalCard({ chat, approval, isOnTop, isSteady, onDecided }: ApprovalCardProps) {
  const { approvalId, name, reason, args, effects } = approval;
  const group = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<Mode>('judge');
  const [isRemembered, setRemembered] = useState(false);
  const [opened, setOpened] = useState<boolean>();
  const { isBusy, problem, decide } = useDeciding(chat);
  const isOpen = opened ?? isOnTop;

  function send(decision: Parameters<OpenChat['approve']>[1]): void {
    // A form was opened on this very card, so its button cannot be meant for another.
    if (mode === 'judge' && !isSteady()) return;
    const remember = isRemembered && decision.decision !== 'reject' ? { remember: true } : {};
    onDecided(approvalId);
    decide(() => chat.approve(approvalId, { ...decision, ...remember }));
  }

  function cancel(): void {
    setMode('judge');
    group.current?.focus();
  }

  useDecisionKeys(isOnTop && !isBusy, {
    a: () => mode === 'judge' && send({ decision: 'approve' }),
    e: () => setMode('edit'),
    r: () => setMode('reject'),
  });

  return (
    <div ref={group} className="approval-card" role="group" aria-label={`Approval of ${name}`} aria-busy={isBusy} tabIndex={-1} data-decision>
      <div className="approval-head">
        <ShieldQuestionMark size={18} aria-hidden className="approval-icon" />
        <h3>
          Approve <code>{name}</code>?
        </h3>
        <button type="button" className="button bare icon" aria-label="Details" aria-expanded={isOpen} onClick={() => setOpened(!isOpen)}>
          <ChevronDown size={18} aria-hidden />
        </button>
      </div>
      <TimeBar approval={approval} />
      <div className="approval-body">
        <p className="approval-reason">
          <PlainText text={reason} />
        </p>
        {isOpen ? <ApprovalDetails approval={approval} /> : <code className="approval-summary">{<PlainText text={summaryOf(approval)} />}</code>}
      </div>
      {mode === 'edit' && (
        <EditForm args={args} refusal={problem} isBusy={isBusy} onCancel={cancel} onApprove={(edited) => send({ decision: 'edit', args: edited })}>
          <Remember effects={effects} isChecked={isRemembered} onChange={setRemembered} />
        </EditForm>
      )}
      {mode !== 'edit' && problem !== undefined && (
        <p role="alert" className="approval-problem small">
          {problem}
        </p>
      )}
      {mode === 'reject' && (
        <RejectForm isBusy={isBusy} onCancel={cancel} onReject={(why) => send({ decision: 'reject', ...(why === '' ? {} : { reason: why }) })} />
      )}
      {mode === 'judge' && (
        <div className="approval-actions" data-stays={isOnTop || undefined}>
          <Choices isOnTop={isOnTop} isBusy={isBusy} onApprove={() => send({ decision: 'approve' })} onMode={setMode} />
          <Remember effects={effects} isChecked={isRemembered} onChange={setRemembered} />
        </div>
      )}
    </div>
  );
});
