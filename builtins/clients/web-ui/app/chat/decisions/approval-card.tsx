// One tool call that waits for a decision. One card is open, with everything that is needed to judge it; the others are a line that opens them.
import type { Approval, OpenChat } from 'agent-harness/client';
import { ChevronRight, ShieldQuestionMark } from 'lucide-react';
import { memo, useRef, useState } from 'react';
import { ApprovalBody } from './approval-body.tsx';
import { Choices, Remember } from './approval-choices.tsx';
import { ApprovalDetails } from './approval-details.tsx';
import { summaryOf } from './call-arguments.ts';
import { EditForm } from './edit-form.tsx';
import { NotifyButton } from '../../attention/notify-button.tsx';
import { PlainText } from '../../kit/plain-text.tsx';
import { RejectForm } from './reject-form.tsx';
import { TimeBar } from './time-bar.tsx';
import { useDeciding } from './use-deciding.ts';
import { useDecisionKeys } from './use-decision-keys.ts';
import './approval-card.css';

export interface ApprovalCardProps {
  readonly chat: OpenChat;
  readonly approval: Approval;
  /** Its details are shown, and the keys act on it: nobody decides about what is not seen. */
  readonly isOpen: boolean;
  /** `2 of 3`; left out where it is alone. */
  readonly place?: string;
  readonly onOpen: (approvalId: string) => void;
  /** False right after the cards moved by themselves: a press now may be meant for the card that was there. */
  readonly isSteady: () => boolean;
  readonly onDecided: (approvalId: string) => void;
}

type Mode = 'judge' | 'edit' | 'reject';

export const ApprovalCard = memo(function ApprovalCard({ chat, approval, isOpen, place, onOpen, isSteady, onDecided }: ApprovalCardProps) {
  const { approvalId, name, args } = approval;
  const group = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<Mode>('judge');
  const [isRemembered, setRemembered] = useState(false);
  const { isBusy, problem, decide } = useDeciding(chat);

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

  useDecisionKeys(isOpen && !isBusy, {
    a: () => mode === 'judge' && send({ decision: 'approve' }),
    e: () => setMode('edit'),
    r: () => setMode('reject'),
  });

  const label = `Approval of ${name}`;
  if (!isOpen) {
    return (
      <div className="approval-folded" role="group" aria-label={label}>
        <button type="button" aria-expanded={false} onClick={() => onOpen(approvalId)}>
          <ShieldQuestionMark size={16} aria-hidden className="approval-icon" />
          <code className="approval-name">{name}</code>
          <span className="approval-summary">
            <PlainText text={summaryOf(approval)} />
          </span>
          <ChevronRight size={16} aria-hidden />
        </button>
      </div>
    );
  }
  return (
    <div ref={group} className="approval-card" role="group" aria-label={label} aria-busy={isBusy} tabIndex={-1} data-decision data-mode={mode}>
      <TimeBar approval={approval}>
        <ShieldQuestionMark size={18} aria-hidden className="approval-icon" />
        <h3>
          Approve <code>{name}</code>?
        </h3>
        {place !== undefined && <span className="badge approval-place">{place}</span>}
        <NotifyButton />
      </TimeBar>
      {mode === 'edit' ? (
        <EditForm args={args} refusal={problem} isBusy={isBusy} onCancel={cancel} onApprove={(edited) => send({ decision: 'edit', args: edited })}>
          <Remember remembers={approval.remembers} isChecked={isRemembered} onChange={setRemembered} />
        </EditForm>
      ) : (
        <ApprovalBody label={`What ${name} would do`}>
          <ApprovalDetails approval={approval} />
        </ApprovalBody>
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
        <div className="approval-actions">
          <Choices isBusy={isBusy} onApprove={() => send({ decision: 'approve' })} onMode={setMode} />
          <Remember remembers={approval.remembers} isChecked={isRemembered} onChange={setRemembered} />
        </div>
      )}
    </div>
  );
});
