// Why in the page: the way from anything in a conversation, from any words and from a note, to what made it so; and what came from a chat.
import { CircleQuestionMark } from 'lucide-react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import type { Contribution, EntryMark } from '#page/points/contribution.ts';
import { WhyAtWords } from './why-at-words.tsx';
import { hashOf } from '#page/kit/hooks.ts';
import { t } from '#page/kit/t.ts';

export const contribution: Contribution = {
  plugin: 'why',
  parts: [{ slot: 'cover', title: 'Why?', Part: WhyAtWords }],
  keys: [{ keys: ['Alt', 'W'], what: 'Why? of the words that are selected, or of what has the focus' }],
  entryTools: [{ title: 'Why?', Tool: WhyLink }],
  pages: [
    {
      page: 'came-from',
      title: 'What came from it',
      icon: CircleQuestionMark,
      place: 'chat',
      Page: lazyPart(async () => (await import('./came-from-page.tsx')).CameFromPage),
    },
  ],
};

/** Leads to the view that says why, read with exactly this. */
function WhyLink({ kind, id, chatId }: EntryMark) {
  return (
    <a className="quiet-button" href={hashOf({ page: 'view', id: 'why', query: { about: `${kind} ${id}`, chat: chatId } })}>
      <CircleQuestionMark size={14} aria-hidden />
      <span>{t('Why?')}</span>
    </a>
  );
}
