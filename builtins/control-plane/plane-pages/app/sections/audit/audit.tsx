// Renders the audit log: actions, their authors, and the result of the integrity check.
import { FormField } from '#page/kit/page/form-field.tsx';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { formatTime } from '#page/kit/page/format.ts';
import { Select } from '#page/kit/page/select.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { Download } from 'lucide-react';
import { useId, useState } from 'react';
import { LogTable, type LogColumn } from '../../base/log-table.tsx';
import { call, type ReplyOf } from '../../base/plane.ts';
import { Empty } from '#page/kit/page/rows.tsx';
import { usePaged } from '../../base/use-paged.ts';
import { useMemberNames } from '../../base/use-member-names.ts';
import { AuditControls } from './audit-controls.tsx';
import { factsOf, titleOf } from './audit-format.ts';
import './audit.css';

type Event = ReplyOf<'GET /api/team/audit/events'>['events'][number];

const perPage = 50;

export function Audit() {
  const id = useId();
  const [kind, setKind] = useState('');
  const [day, setDay] = useState('');
  const kinds = useLoaded('kinds', (signal) => call('GET /api/team/audit/kinds', { signal }));
  const filter = { ...(kind === '' ? {} : { kind }), ...(day === '' ? {} : { since: new Date(`${day}T00:00:00`).toISOString() }) };
  const paged = usePaged(JSON.stringify(filter), async (cursor, signal) => {
    const { events, cursor: next } = await call('GET /api/team/audit/events', {
      query: { ...filter, order: 'newest', limit: perPage, ...(cursor === undefined ? {} : { cursor: Number(cursor) }) },
      ...(signal ? { signal } : {}),
    });
    return { items: events, cursor: next };
  });
  const isFiltered = kind !== '' || day !== '';
  return (
    <PageFrame
      title="Audit"
      intro="Actions in this organisation, on these pages and by the services of its members."
      actions={
        <a className="button" href={`/api/team/audit/export?${new URLSearchParams(filter).toString()}`} download>
          <Download size={16} aria-hidden /> {isFiltered ? 'Export filtered events' : 'Export'}
        </a>
      }
      isBusy={paged.isLoading}
    >
      <div className="page-filters audit-filters">
        <FormField id={`${id}-kind`} label="Action">
          <Select
            id={`${id}-kind`}
            value={kind}
            options={{ '': 'All actions', ...Object.fromEntries((kinds.value?.kinds ?? []).map((one) => [one, titleOf(one)])) }}
            onChange={setKind}
          />
        </FormField>
        <FormField id={`${id}-day`} label="Since">
          <input id={`${id}-day`} className="field" type="date" value={day} onChange={(event) => setDay(event.target.value)} />
        </FormField>
        {isFiltered && (
          <button type="button" className="button" onClick={() => (setKind(''), setDay(''))}>
            Clear filters
          </button>
        )}
      </div>
      <EventTable paged={paged} isFiltered={isFiltered} />
      <AuditControls />
    </PageFrame>
  );
}

function EventTable({ paged, isFiltered }: { readonly paged: ReturnType<typeof usePaged<Event>>; readonly isFiltered: boolean }) {
  const nameOf = useMemberNames();
  const columns: readonly LogColumn<Event>[] = [
    { title: 'When', kind: 'tight', cell: ({ at }) => <time dateTime={at}>{formatTime(at)}</time> },
    { title: 'Action', kind: 'head', cell: ({ kind }) => <span title={kind}>{titleOf(kind)}</span> },
    {
      title: 'Author',
      kind: 'wide',
      cell: ({ userId, source }) => (
        <span>
          {userId === undefined ? 'the operator' : nameOf(userId)}
          {source === 'service' && <span className="muted"> through their service</span>}
        </span>
      ),
    },
    { title: 'Details', kind: 'wide', cell: (event) => <Facts event={event} /> },
  ];
  return (
    <LogTable
      paged={paged}
      label="Events, newest first"
      what="audit log"
      columns={columns}
      keyOf={({ seq }) => seq}
      empty={<Empty title="No events">{isFiltered ? 'No events match the filters.' : 'New events appear here.'}</Empty>}
    />
  );
}

function Facts({ event: { metrics, chatId } }: { readonly event: Event }) {
  const facts = [...factsOf(metrics), ...(chatId === undefined ? [] : [{ name: 'chat', text: chatId }])];
  if (facts.length === 0) return null;
  return (
    <ul className="audit-facts">
      {facts.map(({ name, text }) => (
        <li key={name}>
          <span className="muted">{name}</span> {text}
        </li>
      ))}
    </ul>
  );
}
