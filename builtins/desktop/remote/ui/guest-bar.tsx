// Renders the bar above every page while guests watch: guests, duration, addresses, and a button that ends the session.
import { ChevronDown, Eye, MousePointerClick } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import './guest-bar.css';
import { GuestRow } from './guest-row.tsx';
import { barText } from './viewer-texts.ts';
import type { Guest } from './use-remote.ts';
import { t } from '#page/kit/t.ts';

interface GuestBarProps {
  readonly guests: readonly Guest[];
  readonly onChanged: () => void;
}

export function GuestBar({ guests, onChanged }: GuestBarProps) {
  const { call } = useClient();
  const act = useAct(onChanged);
  const [isOpen, setOpen] = useState(false);
  const isSteered = guests.some(({ mayControl }) => mayControl);
  return (
    <section className="guest-bar" data-steered={isSteered || undefined} aria-label={t('Viewers of this window')}>
      <div className="guest-bar-line">
        {isSteered ? <MousePointerClick size={17} aria-hidden /> : <Eye size={17} aria-hidden />}
        <p role="status">{barText(guests)}</p>
        <button type="button" className="guest-bar-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t('Viewers')} <ChevronDown size={15} aria-hidden />
        </button>
        <button
          type="button"
          className="guest-bar-button"
          disabled={act.isBusy}
          onClick={() => void act.run(() => call('DELETE /api/remote'), t('All remote sessions have ended.'))}
        >
          {t('End all')}
        </button>
      </div>
      {isOpen && (
        <ul className="guest-bar-list">
          {guests.map((guest) => (
            <GuestRow key={guest.guestId} guest={guest} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </section>
  );
}
