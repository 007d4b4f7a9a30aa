// The audit log: what happened, who did it, and whether anybody changed the log.
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { formatTime } from '#page/kit/page/format.ts';
import { useSettled } from '#page/kit/page/use-settled.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { call, type ReplyOf } from '../../base/plane.ts';
import { MoreOf } from '../../base/more-of.tsx';
import { Empty } from '#page/kit/page/rows.tsx';
import { usePaged } from '../../base/use-paged.ts';
import { usePeople } from '../../base/use-people.ts';
import './audit.css';

type Event = ReplyOf<'GET /api/team/audit/events'>['events'][number];

const perPage = 50;

export function Audit() {
  const id = useId();
  const [kind, setKind] = useState('');
  const [day, setDay] = useState('');
  const wanted = useSettled(kind.trim(), 300);
  const filter = { ...(wanted === '' ? {} : { kind: wanted }), ...(day === '' ? {} : { since: new Date(`${day}T00:00:00`).toISOString() }) };
  const paged = usePaged(JSON.stringify(filter), async (cursor, signal) => {
    const { events, cursor: next } = await call('GET /api/team/audit/events', {
      query: { ...filter, limit: perPage, ...(cursor === undefined ? {} : { cursor: Number(cursor) }) },
      ...(signal ? { signal } : {}),
    });
    return { items: events, cursor: next };
  });
  return (
    <PageFrame
      title="Audit"
      intro="What was done in this organisation, here and by the services of its members. Each line holds the hash of the one before."
      actions={
        <a className="button" href={`/api/team/audit/export?${new URLSearchParams(filter).toString()}`} download>
          <Download size={16} aria-hidden /> Export
        </a>
      }
      isBusy={paged.isLoading}
    >
      <div className="page-filters">
        <div className="page-form-field">
          <label htmlFor={`${id}-kind`} className="small">
            Kind
          </label>
          <input
            id={`${id}-kind`}
            className="field"
            placeholder="Any, such as role_changed"
            value={kind}
            onChange={(event) => setKind(event.target.value)}
            spellCheck={false}
            autoCapitalize="off"
          />
        </div>
        <div className="page-form-field">
          <label htmlFor={`${id}-day`} className="small">
            Since
          </label>
          <input id={`${id}-day`} className="field" type="date" value={day} onChange={(event) => setDay(event.target.value)} />
        </div>
      </div>
      <WhenLoaded loaded={paged} what="audit log">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing is in the log">{kind !== '' || day !== '' ? 'Nothing of that kind since then.' : 'What happens from now on is.'}</Empty>
          ) : (
            <EventTable events={items} />
          )
        }
      </WhenLoaded>
      <MoreOf paged={paged} />
    </PageFrame>
  );
}

function EventTable({ events }: { readonly events: readonly Event[] }) {
  const nameOf = usePeople();
  return (
    <div className="page-card page-scroll" tabIndex={0} role="region" aria-label="Events">
      <table className="page-table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">What</th>
            <th scope="col">Who</th>
            <th scope="col">Facts</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <tr key={event.seq}>
              <td className="audit-when">{formatTime(event.at)}</td>
              <th scope="row" className="audit-when">
                <code>{event.kind}</code>
              </th>
              <td className="audit-who">
                {event.userId === undefined ? 'the operator' : nameOf(event.userId)}
                {event.source === 'service' && <span className="muted"> (their service)</span>}
              </td>
              <td className="audit-facts">{factsOf(event.metrics)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function factsOf(metrics: unknown): string {
  const entries = Object.entries((metrics ?? {}) as Readonly<Record<string, unknown>>);
  return entries.map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`).join(', ');
}
