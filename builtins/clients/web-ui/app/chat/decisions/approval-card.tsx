// Renders the card of a pending approval. One card is expanded with all details; the others are collapsed to one line.
import type { Approval, OpenChat, ToolEntry } from 'agent-harness/client';
import { networkDecision, rehearsalSeen, widestKind } from 'agent-harness/transcript';
import { ChevronRight } from 'lucide-react';
import { memo, useId, useRef, useState } from 'react';
import { ApprovalBody } from './approval-body.tsx';
import { Choices } from './approval-choices.tsx';
import { ApprovalDetails } from './approval-details.tsx';
import { rowsOf, summaryOf } from './call-arguments.ts';
import { CommandLine, editableCommand } from './command-line.tsx';
import { EditForm } from './edit-form.tsx';
import { NotifyButton } from '../../attention/notify-button.tsx';
import { PlainText } from '../../kit/plain-text.tsx';
import { canUndo } from './effect-texts.ts';
import { RejectForm } from './reject-form.tsx';
import { TimeBar } from './time-bar.tsx';
import { useDecision } from './use-decision.ts';
import { useDecisionKeys } from './use-decision-keys.ts';
import { dropDraft, useDraft } from '../../kit/use-draft.ts';
import { EntryTools } from '../../points/entry-tools.tsx';
import { toolQuestion } from '../../kit/tool-verb.ts';
import { useSelected } from '../../kit/use-selected.ts';
import { t, tx } from '../../kit/t.ts';
import './approval-card.css';

export interface ApprovalCardProps {
  readonly chat: OpenChat;
  readonly approval: Approval;
  /** Whether the details are shown and the shortcuts are active; only a visible call can be decided. */
  readonly isOpen: boolean;
  /** Position such as `2 of 3`; omitted for a single card. */
  readonly place?: string;
  readonly onOpen: (approvalId: string) => void;
  /** Returns false right after the cards moved without a local action, because a press may be meant for another card. */
  readonly isSteady: () => boolean;
  readonly isSettling: boolean;
  readonly onDecided: (approvalId: string) => void;
}

type Mode = 'judge' | 'edit' | 'reject';

/** Parts of a card whose input is stored until the call is decided. */
const draftIds = (approvalId: string) => ({ line: `${approvalId}:line`, edit: `${approvalId}:edit`, reject: `${approvalId}:reject` });

export const ApprovalCard = memo(function ApprovalCard({ chat, approval, isOpen, place, onOpen, isSteady, isSettling, onDecided }: ApprovalCardProps) {
  const { approvalId, name, args, remembers } = approval;
  const lineId = useId();
  const asked = editableCommand(approval);
  const drafts = draftIds(approvalId);
  const [draft, setDraft] = useDraft(drafts.line);
  const [command, showCommand] = useState(asked === undefined || draft === '' ? asked : draft);
  const isChanged = command !== asked;
  const isEmpty = command !== undefined && command.trim() === '';
  // There may be arguments besides the command.
  const hasMore = asked === undefined || (approval.preview?.kind === 'command' && rowsOf(args, [asked, approval.preview.cwd]).length > 0);
  const verb = useSelected(chat.state, ({ entries }) => entries.find((one): one is ToolEntry => one.kind === 'tool' && one.callId === approval.callId)?.verb);
  const question = toolQuestion(verb);
  const network = networkDecision(approval);
  const group = useRef<HTMLDivElement>(null);
  const [mode, setMode] = useState<Mode>('judge');
  const { isBusy, problem, decide } = useDecision(chat);

  function setCommand(text: string | undefined): void {
    showCommand(text);
    setDraft(text === undefined || text === asked ? '' : text);
  }

  function send(decision: Parameters<OpenChat['approve']>[1]): void {
    // In a form that the user opened on this card, a press cannot be meant for another card.
    if (mode === 'judge' && !isSteady()) return;
    onDecided(approvalId);
    decide(async () => {
      await chat.approve(approvalId, decision);
      for (const id of Object.values(drafts)) dropDraft(id);
    });
  }

  /** Approves and runs exactly the text in the field. */
  function approve(scope: 'once' | 'chat' | 'workspace', kind?: string): void {
    const remember = scope === 'once' ? {} : { remember: scope, ...(kind === undefined ? {} : { kind }) };
    if (isEmpty) return;
    send(isChanged ? { decision: 'edit', args: { ...args, command }, ...remember } : { decision: 'approve', ...rehearsalSeen(approval), ...remember });
  }

  function edit(): void {
    if (hasMore) setMode('edit');
    else document.getElementById(lineId)?.focus();
  }

  function cancel(): void {
    if (mode !== 'judge') dropDraft(drafts[mode]);
    setMode('judge');
    group.current?.focus();
  }

  useDecisionKeys(isOpen && !isBusy, {
    a: () => mode === 'judge' && approve('once'),
    e: edit,
    r: () => setMode('reject'),
  });

  const label = t('Approval of {name}', { name });
  const isUndoable = canUndo(approval, isChanged || mode === 'edit');
  if (!isOpen) {
    return (
      <div className="approval-folded" role="group" aria-label={label}>
        <button type="button" aria-expanded={false} onClick={() => onOpen(approvalId)}>
          <span className="approval-dot" aria-hidden />
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
        <span className="approval-dot" aria-hidden />
        <h3>{question ?? tx('Allow {name}?', { name: <code>{name}</code> })}</h3>
        {place !== undefined && <span className="badge approval-place">{place}</span>}
        <span className="approval-level" data-level={isUndoable ? 'undo' : undefined}>
          {isUndoable ? t('Can be undone') : t('Cannot be undone')}
        </span>
        <EntryTools kind="call" id={approval.callId} chatId={chat.chatId} />
        <NotifyButton />
      </TimeBar>
      {mode === 'edit' ? (
        <EditForm
          draftId={drafts.edit}
          args={isChanged ? { ...args, command } : args}
          refusal={problem}
          isBusy={isBusy}
          onCancel={cancel}
          onApprove={(edited) => send({ decision: 'edit', args: edited })}
        />
      ) : (
        <ApprovalBody label={t('Details of {name}', { name })}>
          <ApprovalDetails
            approval={approval}
            isEdited={isChanged && mode !== 'reject'}
            line={
              // A denial applies to the call as requested, not to the edited one.
              mode === 'reject' || command === undefined || asked === undefined ? undefined : (
                <CommandLine
                  id={lineId}
                  text={command}
                  isChanged={isChanged}
                  isBusy={isBusy}
                  onChange={setCommand}
                  onReset={() => setCommand(asked)}
                  onApprove={() => approve('once')}
                />
              )
            }
          />
        </ApprovalBody>
      )}
      {mode !== 'edit' && problem !== undefined && (
        <p role="alert" className="approval-problem small">
          {problem}
        </p>
      )}
      {mode === 'reject' && (
        <RejectForm
          draftId={drafts.reject}
          isBusy={isBusy}
          onCancel={cancel}
          onReject={(why) => send({ decision: 'reject', ...(why === '' ? {} : { reason: why }) })}
        />
      )}
      {mode === 'judge' && (
        <div className="approval-actions">
          <Choices
            isBusy={isBusy}
            isSettling={isSettling}
            isEmpty={isEmpty}
            rule={
              remembers === undefined
                ? undefined
                : {
                    subject: isChanged ? (command ?? '') : (approval.always ?? name),
                    meaning: remembers,
                    // The kind of an edited command is not known.
                    kind: isChanged ? undefined : widestKind(approval),
                  }
            }
            onEdit={hasMore ? () => setMode('edit') : undefined}
            onApprove={approve}
            onNetwork={network && (() => send({ ...network, args: isChanged ? { ...network.args, command } : network.args }))}
            onDeny={() => setMode('reject')}
          />
        </div>
      )}
    </div>
  );
});
