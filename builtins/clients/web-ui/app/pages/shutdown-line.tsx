// Announces the shutdown of the configured model, and offers to switch to its successor.
import { CalendarClock, X } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '../kit/hooks.ts';
import { formatServerDate } from '../kit/page/format.ts';
import { useAct } from '../kit/page/use-act.ts';
import { t } from '../kit/t.ts';
import { useProvider } from '../points/use-provider.ts';
import { useKnownPermission } from '../points/use-permission.ts';
import '../kit/composer-note.css';

/** Storage key for the model and the day of the last dismissal. */
const key = 'shutdown-line-dismissed';

export function ShutdownLine() {
  const client = useClient();
  const isOwner = useKnownPermission();
  const shutdown = useProvider()?.shutdown;
  const { isBusy, run } = useAct();
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(key));

  if (!shutdown) return null;
  const { model, on, successor } = shutdown;
  const now = new Date();
  const today = `${model} ${now.toDateString()}`;
  if (dismissed === today) return null;

  function dismiss(): void {
    localStorage.setItem(key, today);
    setDismissed(today);
  }

  const values = { model, date: formatServerDate(on) };
  const isOver = Date.parse(on) <= now.getTime();
  return (
    <div className="composer-note" role="note">
      <CalendarClock size={16} aria-hidden />
      <p>
        {isOver ? t('{model} shut down on {date}.', values) : t('{model} shuts down on {date}.', values)}{' '}
        {isOwner && successor !== undefined && (
          <button
            type="button"
            className="quiet-button"
            disabled={isBusy}
            onClick={() => void run(() => client.call('PUT /api/settings', { body: { provider: { model: successor }, whenBusy: 'queue' } }))}
          >
            {t('Switch to {successor}', { successor })}
          </button>
        )}
      </p>
      <button type="button" className="button bare icon" aria-label={t('Dismiss for today')} onClick={dismiss}>
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}
