// What plugins that did not come with the product take and do wrong: live, or over days. It is read only while it is open.
import { useEffect, useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { formatCount, formatTime } from '../../kit/page/format.ts';
import { Select } from '../../kit/page/select.tsx';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';
import { sizeText } from '../../kit/cut-text.ts';
import { t } from '../../kit/t.ts';
import { stateTitles } from './plugin-model.ts';
import {
  columns,
  columnTitles,
  durationOf,
  faultTitles,
  placeTitles,
  sortRows,
  spanTitles,
  type UsageColumn,
  type UsageRow,
  type UsageSpan,
} from './usage-rows.ts';

const everyMs = 2_000;
const daysOf: Readonly<Record<UsageSpan, number>> = { live: 0, today: 1, week: 7, month: 30 };

export function PluginUsage() {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="page-more plugin-usage" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('What they take')}</summary>
      {isOpen && <OpenUsage />}
    </details>
  );
}

function OpenUsage() {
  const client = useClient();
  const [span, setSpan] = useState<UsageSpan>('live');
  const [column, setColumn] = useState<UsageColumn>('activeMs');
  const loaded = useLoaded(`usage ${span}`, (signal) => client.call('GET /api/plugins/usage', { signal, query: { days: daysOf[span] } }));
  const { reload } = loaded;
  useEffect(() => {
    if (span !== 'live') return;
    const timer = setInterval(() => {
      if (!document.hidden) reload();
    }, everyMs);
    return () => clearInterval(timer);
  }, [span, reload]);

  return (
    <>
      <div className="page-filters">
        <Select label={t('Range')} value={span} options={spanTitles} onChange={setSpan} />
      </div>
      <WhenLoaded loaded={loaded} what={t('usage')}>
        {({ plugins }) =>
          plugins.length === 0 ? (
            <p className="muted small">{t('Nothing to count: only plugins that did not come with the product are.')}</p>
          ) : (
            <UsageTable rows={sortRows(plugins, column)} column={column} onColumn={setColumn} />
          )
        }
      </WhenLoaded>
    </>
  );
}

interface UsageTableProps {
  readonly rows: readonly UsageRow[];
  readonly column: UsageColumn;
  readonly onColumn: (column: UsageColumn) => void;
}

function UsageTable({ rows, column, onColumn }: UsageTableProps) {
  return (
    <div className="page-card page-scroll" role="region" aria-label={t('What they take')} tabIndex={0}>
      <table className="page-table plugin-usage-table">
        <caption className="visually-hidden">{t('What they take')}</caption>
        <thead>
          <tr>
            {columns.map((one) => (
              <th
                key={one}
                scope="col"
                className={one === 'name' ? '' : 'number'}
                aria-sort={one === column ? (one === 'name' ? 'ascending' : 'descending') : 'none'}
              >
                <button type="button" className="button bare" onClick={() => onColumn(one)}>
                  {columnTitles[one]}
                </button>
              </th>
            ))}
            <th scope="col">{t('Last fault')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <UsageLine key={row.name} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function UsageLine({ row }: { readonly row: UsageRow }) {
  const { name, state, isolation, calls, activeMs, faults, lastFault, days } = row;
  const bytes = row.memoryBytes ?? row.peakBytes;
  return (
    <tr>
      <th scope="row">
        {name}
        <span className="muted small plugin-usage-place">{state === 'active' ? placeTitles[isolation ?? 'process'] : stateTitles[state]}</span>
      </th>
      <td className="number">{formatCount(calls.total)}</td>
      <td className="number">
        {durationOf(activeMs)}
        {days !== undefined && days.length > 1 && <Bars values={days.map((day) => day.activeMs)} />}
      </td>
      <td className="number">{bytes === undefined ? <span title={t('What runs in the server itself cannot be told apart.')}>–</span> : sizeText(bytes)}</td>
      <td className="number">{formatCount(faults.total)}</td>
      <td className="plugin-usage-fault">
        {lastFault !== undefined && (
          <>
            <span className="muted small">
              {faultTitles[lastFault.kind]} · <time dateTime={lastFault.at}>{formatTime(lastFault.at)}</time>
            </span>
            <span dir="auto">{lastFault.message}</span>
          </>
        )}
      </td>
    </tr>
  );
}

/** A bar for each day; the numbers stand beside it. */
function Bars({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(1, ...values);
  return (
    <svg className="plugin-usage-bars" viewBox={`0 0 ${values.length * 4} 12`} aria-hidden="true">
      {values.map((value, index) => (
        <rect key={index} x={index * 4} y={12 - (value / most) * 12} width={3} height={(value / most) * 12} />
      ))}
    </svg>
  );
}
