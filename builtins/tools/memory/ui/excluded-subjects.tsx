// Renders the list of subjects that are excluded from automatic notes, with an action to remove each exclusion.
import { useClient } from '#page/kit/hooks.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { t } from '#page/kit/t.ts';

const settleMs = 250;

export function ExcludedSubjects() {
  const client = useClient();
  const loaded = useLoaded('unwanted', (signal) => client.call('GET /api/memory/unwanted', { signal }));
  useEvents((event) => event.kind === 'memory_changed', settleMs, loaded.reload);
  const { isBusy, run } = useAct(loaded.reload);
  const unwanted = loaded.value?.unwanted ?? [];
  if (unwanted.length === 0) return null;
  return (
    <section className="page-section" aria-labelledby="unwanted-title">
      <h2 id="unwanted-title">{t('Excluded subjects')}</h2>
      <ul className="page-card note-list">
        {unwanted.map(({ id, value }) => (
          <li key={id} className="note" aria-label={t('Never {id}', { id })}>
            <p className="note-value" dir="auto">
              {value === '' ? <bdi>{id}</bdi> : value}
            </p>
            <div className="note-buttons">
              <button
                type="button"
                className="button"
                disabled={isBusy}
                onClick={() => void run(() => client.call('POST /api/memory/unwanted/allow', { body: { id } }), t('The subject is allowed again.'))}
              >
                {t('Allow again')}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
