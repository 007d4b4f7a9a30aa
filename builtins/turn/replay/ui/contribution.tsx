// Contributes replay to the page: a link from the last message of a turn to its replay.
import type { Contribution } from '#page/points/contribution.ts';
import type { AssistantEntry } from 'agent-harness/client';
import { RotateCcw } from 'lucide-react';
import { goTo } from '#page/kit/hooks.ts';
import { t } from '#page/kit/t.ts';

export const contribution: Contribution = {
  plugin: 'replay',
  messageTools: [{ title: 'Replay…', permission: 'chats.read', Tool: ReplayButton }],
};

function ReplayButton({ entry: { turnId }, isTurnEnd }: { readonly entry: AssistantEntry; readonly isTurnEnd: boolean }) {
  if (!isTurnEnd || turnId === undefined) return null;
  return (
    <button type="button" className="quiet-button" title={t('Replay…')} onClick={() => goTo({ page: 'view', id: 'replay', query: { turn: turnId } })}>
      <RotateCcw size={14} aria-hidden />
      <span className="visually-hidden">{t('Replay…')}</span>
    </button>
  );
}
