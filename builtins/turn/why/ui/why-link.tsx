// Leads to the view that says why, read with exactly this.
import { CircleQuestionMark } from 'lucide-react';
import { hashOf } from '#page/kit/hooks.ts';
import { t } from '#page/kit/t.ts';
import type { EntryMark } from '#page/points/contribution.ts';

export function WhyLink({ kind, id, chatId }: EntryMark) {
  return (
    <a className="quiet-button" href={hashOf({ page: 'view', id: 'why', query: { about: `${kind} ${id}`, chat: chatId } })}>
      <CircleQuestionMark size={14} aria-hidden />
      <span>{t('Why?')}</span>
    </a>
  );
}
