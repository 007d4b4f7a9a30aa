// Contributes support bundles to the page: a link from the last message of a turn to its bundle.
import type { AssistantEntry } from 'agent-harness/client';
import { LifeBuoy } from 'lucide-react';
import { goTo } from '#page/kit/hooks.ts';
import { t } from '#page/kit/t.ts';
import type { Contribution } from '#page/points/contribution.ts';

export const contribution: Contribution = {
  plugin: 'support-file',
  messageTools: [{ title: 'Report a problem…', Tool: ReportButton }],
};

function ReportButton({ entry: { turnId }, isTurnEnd }: { readonly entry: AssistantEntry; readonly isTurnEnd: boolean }) {
  if (!isTurnEnd || turnId === undefined) return null;
  return (
    <button
      type="button"
      className="quiet-button"
      title={t('Report a problem…')}
      onClick={() => goTo({ page: 'view', id: 'support', query: { turn: turnId } })}
    >
      <LifeBuoy size={14} aria-hidden />
      <span className="visually-hidden">{t('Report a problem…')}</span>
    </button>
  );
}
