// Renders the list of errors that belong to no chat, newest first.
import type { Fault } from 'agent-harness/client';
import { formatTime } from '../../kit/page/format.ts';
import { t } from '../../kit/t.ts';

export function FaultList({ faults }: { readonly faults: readonly Fault[] }) {
  if (faults.length === 0) return null;
  return (
    <section className="page-card plugin-faults" aria-labelledby="plugin-faults-title">
      <h2 id="plugin-faults-title">{t('Reported faults')}</h2>
      <ul>
        {[...faults].reverse().map(({ id, at, message, plugin, source }) => (
          <li key={id}>
            <span className="muted small">
              <time dateTime={at}>{formatTime(at)}</time> · {plugin ?? source}
            </span>
            <span className="plugin-fault-text">{message}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
