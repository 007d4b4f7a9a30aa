// Contributes explanations to the page: a card for any entry or selected words in a conversation, and a page that lists all items derived from a chat.
import { CircleQuestionMark } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution, EntryMark } from '#page/points/contribution.ts';
import { ExplainSelection } from './explain-selection.tsx';
import { askWhy, WhyCard } from './why-card.tsx';
import { t } from '#page/kit/t.ts';

export const contribution: Contribution = {
  plugin: 'why',
  parts: [
    { slot: 'cover', title: 'Why?', Part: ExplainSelection },
    { slot: 'cover', title: 'Why', Part: WhyCard },
  ],
  keys: [{ keys: ['Alt', 'W'], what: 'Explain the selected words or the focused element' }],
  entryTools: [{ title: 'Why?', Tool: WhyButton }],
  pages: [
    {
      page: 'came-from',
      title: 'Derived items',
      icon: CircleQuestionMark,
      place: 'chat',
      Page: lazyPart(async () => (await import('./came-from-page.tsx')).CameFromPage),
    },
  ],
};

function WhyButton({ kind, id, chatId }: EntryMark) {
  return (
    <button
      type="button"
      className="quiet-button"
      aria-haspopup="dialog"
      onClick={({ currentTarget }) => askWhy({ about: `${kind} ${id}`, chat: chatId }, currentTarget)}
    >
      <CircleQuestionMark size={14} aria-hidden />
      <span>{t('Why?')}</span>
    </button>
  );
}
