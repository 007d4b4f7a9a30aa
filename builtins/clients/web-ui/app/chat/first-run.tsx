// Renders the three steps of a first run: the model, the folder and its trust, and the first message.
import type { ChatMeta, OpenChat } from 'agent-harness/client';
import { Check } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useClient } from '../kit/hooks.ts';
import { hostOnly } from '../kit/host-only.tsx';
import { explainError } from '../kit/page/explain-error.ts';
import { useShell } from '../kit/shell-context.ts';
import { useSelected } from '../kit/use-selected.ts';
import { folderName } from '../kit/short-texts.ts';
import { Slot } from '../points/slot.tsx';
import { usePermission, useKnownPermission } from '../points/use-permission.ts';
import { useModelName } from './composer/use-model-name.ts';
import { trustTexts, unreadOf, type UntrustedItem } from './trust-texts.ts';
import { useUntrusted, type Untrusted } from './use-untrusted.ts';
import { t } from '../kit/t.ts';
import './first-run.css';

interface Props {
  readonly chat: OpenChat;
  readonly meta: ChatMeta;
}

export function FirstRun({ chat, meta }: Props) {
  const isDemo = useSelected(useClient().connection, ({ config }) => config?.demoModel !== false);
  const model = useModelName(chat.chatId);
  const mayTrust = useKnownPermission();
  const { subjects, trust } = useUntrusted(chat.chatId, mayTrust);
  const waiting = unreadOf(subjects ?? [], []);
  const isSettled = waiting.length === 0;
  return (
    <section className="welcome first-run" aria-label={t('Welcome')}>
      <h2>{t('Three steps to start')}</h2>
      <p className="muted">{t('The first two already have a default, so you can also just type.')}</p>
      <ol className="first-run-steps">
        <Step title={t('Model')} number={1} state="done">
          <Slot name="first-run" chat={chat} />
          {!isDemo && <p>{model ?? t('A model is configured.')}</p>}
        </Step>
        <FolderStep meta={meta} waiting={waiting} trust={trust} />
        <Step title={t('Ask')} number={3} {...(isSettled ? { state: 'current' } : {})}>
          <p>{t('The agent asks before it runs commands. File edits can be undone.')}</p>
        </Step>
      </ol>
    </section>
  );
}

interface FolderProps extends Pick<Props, 'meta'>, Pick<Untrusted, 'trust'> {
  readonly waiting: readonly UntrustedItem[];
}

function FolderStep({ meta, waiting, trust }: FolderProps) {
  const { openDialog } = useShell();
  const mayManage = usePermission('chats.manage');
  const [problem, setProblem] = useState<string>();
  const title = meta.workspaceRoot === undefined ? t('Folder') : t('Folder: {name}', { name: folderName(meta.workspaceRoot) });
  return (
    <Step
      title={title}
      number={2}
      state={waiting.length === 0 ? 'done' : 'current'}
      actions={
        <>
          {mayManage && (
            <button type="button" {...hostOnly} className="button" onClick={() => openDialog('new-chat')}>
              {t('Open…')}
            </button>
          )}
          {waiting.length > 0 && (
            <button
              type="button"
              {...hostOnly}
              className="button"
              onClick={() => void trust(waiting).catch((error: unknown) => setProblem(explainError(error)))}
            >
              {t('Trust folder')}
            </button>
          )}
        </>
      }
    >
      <p role={problem === undefined ? undefined : 'alert'}>{problem ?? (waiting.length > 0 ? trustTexts(waiting) : t('The agent works in this folder.'))}</p>
    </Step>
  );
}

interface StepProps {
  readonly title: string;
  readonly number: number;
  readonly state?: 'done' | 'current';
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

function Step({ title, number, state, actions, children }: StepProps) {
  return (
    <li className="first-run-step" aria-current={state === 'current' ? 'step' : undefined}>
      <span className="first-run-mark" data-state={state} aria-hidden>
        {state === 'done' ? <Check size={13} /> : number}
      </span>
      <h3>
        {title} {state === 'done' && <span className="visually-hidden">{t('done')}</span>}
      </h3>
      {children}
      {actions && <div className="first-run-actions">{actions}</div>}
    </li>
  );
}
