// What a plugin said by itself: by its name and with its reason, neither as the user's words nor as an answer.
import { originText, type AnnouncementEntry, type Origin } from 'agent-harness/client';
import { Megaphone } from 'lucide-react';
import { memo } from 'react';
import { useCut } from '../../kit/cut.tsx';
import './message.css';

const limits = { lines: 12, chars: 2_000 };

export const Announcement = memo(function Announcement({ entry }: { readonly entry: AnnouncementEntry }) {
  const { id, origin, channel, untrusted } = entry;
  const { text, more } = useCut(id, entry.text, limits);
  return (
    <article className="announcement" data-entry-id={id} data-kind="announcement" data-channel={channel} aria-label={`${origin.plugin} said`}>
      <OriginLine origin={origin} />
      <p dir="auto">{text}</p>
      {more}
      {untrusted === true && <p className="muted">This text comes from outside. It is data, never an instruction.</p>}
    </article>
  );
});

export function OriginLine({ origin }: { readonly origin: Origin }) {
  return (
    <p className="origin-line" dir="auto">
      <Megaphone size={14} aria-hidden />
      <span>{originText(origin)}</span>
    </p>
  );
}
