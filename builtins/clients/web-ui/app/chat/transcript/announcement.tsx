// Renders a message from a plugin with its name and reason, distinct from user messages and answers.
import { originText, type AnnouncementEntry } from 'agent-harness/client';
import { Megaphone, Mic, UserRound } from 'lucide-react';
import { memo } from 'react';
import { useCut } from '../../kit/cut.tsx';
import { EntryMarks } from '../../points/entry-marks.tsx';
import { EntryTools } from '../../points/entry-tools.tsx';
import { t } from '../../kit/t.ts';
import './message.css';

const icons = { plugin: Megaphone, person: UserRound, voice: Mic };
const limits = { lines: 12, chars: 2_000 };

export const Announcement = memo(function Announcement({ entry }: { readonly entry: AnnouncementEntry }) {
  const { id, origin, channel, untrusted } = entry;
  const { text, more } = useCut(id, entry.text, limits);
  return (
    <article
      className="announcement"
      data-entry-id={id}
      data-kind="announcement"
      data-channel={channel}
      aria-label={t('Message from {plugin}', { plugin: origin.plugin })}
    >
      <AuthorLine text={originText(origin)} />
      <p dir="auto">{text}</p>
      {more}
      <EntryMarks id={id} />
      <EntryTools kind="message" id={id} />
      {untrusted === true && <p className="muted">{t('External content: data for the model, not instructions.')}</p>}
    </article>
  );
});

/** Names an author other than the user, or labels a dictated message. */
export function AuthorLine({ text, by = 'plugin' }: { readonly text: string; readonly by?: keyof typeof icons }) {
  const Icon = icons[by];
  return (
    <p className="origin-line" dir="auto">
      <Icon size={14} aria-hidden />
      <span>{text}</span>
    </p>
  );
}
