// Renders temporary notices at the top of the page: results of calls, and failures. A notice appears only on the page that raised it.
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { Route } from '../hooks.ts';
import type { Tone } from '../shell-context.ts';
import { t } from '../t.ts';
import './notices.css';

export interface Notice {
  readonly id: number;
  readonly text: string;
  readonly tone: Tone;
  /** Place as returned by {@link placeOf}; other pages do not show the notice. */
  readonly place: string;
}

/** Returns the place of an address, which is a chat or a page; all tabs of a page are one place. */
export function placeOf({ page, id }: Route): string {
  return page === 'chat' ? `chat/${id ?? ''}` : page;
}

/** Display time in milliseconds. A failure stays long enough to be read twice. */
const shownFor: Record<Tone, number> = { plain: 6_000, bad: 15_000 };

export function Notices({ notices, onGone }: { readonly notices: readonly Notice[]; readonly onGone: (id: number) => void }) {
  return (
    <div className="notices" role="status" aria-label={t('Notices')}>
      {notices.map((notice) => (
        <NoticeLine key={notice.id} notice={notice} onGone={onGone} />
      ))}
    </div>
  );
}

function NoticeLine({ notice, onGone }: { readonly notice: Notice; readonly onGone: (id: number) => void }) {
  const [isHeld, hold] = useState(false);
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => onGone(notice.id), shownFor[notice.tone]);
    return () => clearTimeout(timer);
  }, [notice, onGone, isHeld]);
  return (
    <div
      className="notice"
      data-tone={notice.tone}
      onPointerEnter={() => hold(true)}
      onPointerLeave={() => hold(false)}
      onFocus={() => hold(true)}
      onBlur={() => hold(false)}
    >
      <span className="notice-text">{notice.text}</span>
      <button type="button" className="button bare icon" aria-label={t('Dismiss')} onClick={() => onGone(notice.id)}>
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}
