// Tokens and cost of model calls: in all, over time, and by what they were for.
import { handle } from 'agent-harness/client';
import { useState } from 'react';
import { useClient, useStore } from '../../kit/hooks.ts';
import { formatCost, formatCount, formatShort } from '../../kit/page/format.ts';
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { useEvents } from '../../kit/page/use-events.ts';
import { useLoaded } from '../../kit/page/use-loaded.ts';
import { WhenLoaded } from '../../kit/page/when-loaded.tsx';
import { UsageChart } from './usage-chart.tsx';
import { barsOf, rangeTitles, ranked, sinceOf, sumModels, type RangeId, type Usage } from './usage-model.ts';
import { UsageTable } from './usage-table.tsx';
import { t, tx } from '../../kit/t.ts';
import { inSentence } from '../../kit/words.ts';
import './usage.css';

/** What was read, and for which range, so that bars and ranges never disagree while the next range is read. */
interface UsageOfRange {
  readonly usage: Usage;
  readonly range: RangeId;
  readonly readAt: Date;
}

export function UsagePage() {
  const client = useClient();
  const [range, setRange] = useState<RangeId>('week');
  const loaded = useLoaded<UsageOfRange>(range, async (signal) => {
    const readAt = new Date();
    const since = sinceOf(range, readAt);
    return { usage: await client.call('GET /api/usage', { signal, ...(since === undefined ? {} : { query: { since } }) }), range, readAt };
  });
  useEvents((event) => handle(event, { turn_end: () => true }) ?? false, 1000, loaded.reload);

  return (
    <PageFrame
      title={t('Usage')}
      intro={t('What the model calls of this machine took. Nothing of it leaves the machine.')}
      actions={<Ranges value={range} onChange={setRange} />}
      isBusy={loaded.isLoading}
    >
      <WhenLoaded loaded={loaded} what={t('usage')}>
        {(value) => <UsageBody {...value} />}
      </WhenLoaded>
    </PageFrame>
  );
}

function Ranges({ value, onChange }: { readonly value: RangeId; readonly onChange: (range: RangeId) => void }) {
  return (
    <fieldset className="usage-ranges">
      <legend className="visually-hidden">{t('Range')}</legend>
      {(Object.keys(rangeTitles) as RangeId[]).map((id) => (
        <label key={id}>
          <input type="radio" name="usage-range" value={id} checked={id === value} onChange={() => onChange(id)} />
          <span>{rangeTitles[id]}</span>
        </label>
      ))}
    </fieldset>
  );
}

function UsageBody({ usage, range, readAt }: UsageOfRange) {
  const { totals } = usage;
  const bars = barsOf(usage, range, readAt);
  const label = t('Tokens, {rangeTitles}', { rangeTitles: inSentence(rangeTitles[range]) });
  return (
    <>
      <dl className="usage-totals page-card">
        <Total
          title={t('Tokens in')}
          value={formatShort(totals.input)}
          exact={totals.input}
          note={totals.cached > 0 ? t('{cached} cached', { cached: formatShort(totals.cached) }) : undefined}
        />
        <Total title={t('Tokens out')} value={formatShort(totals.output)} exact={totals.output} />
        <Total title={t('Cost')} value={totals.cost > 0 ? formatCost(totals.cost) : '–'} note={totals.cost > 0 ? t('as far as known') : t('not known')} />
        <Total title={t('Model calls')} value={formatCount(totals.calls)} />
      </dl>
      <Budgets caps={usage.caps.filter(({ limit }) => limit > 0)} />
      {totals.calls === 0 ? (
        <p className="page-empty page-card">
          {tx('{strong} Choose a longer range, or write a message.', { strong: <strong>{t('No model calls in this time.')}</strong> })}
        </p>
      ) : (
        <>
          <div className="page-card">
            <UsageChart key={range} bars={bars} label={label} />
          </div>
          <details className="page-more usage-chart-numbers">
            <summary>{t('Show the picture as a table')}</summary>
            <UsageTable
              caption={t('{label}, as numbers', { label })}
              what={t('When')}
              rows={bars.filter((bar) => bar.sums.calls > 0).map((bar) => ({ key: bar.label, sums: bar.sums }))}
              hasShare={false}
            />
          </details>
          <Breakdowns usage={usage} />
        </>
      )}
    </>
  );
}

function Budgets({ caps }: { readonly caps: Usage['caps'] }) {
  if (caps.length === 0) return null;
  return (
    <section className="page-section">
      <h2>{t('Budgets of today')}</h2>
      <ul className="page-card usage-budgets">
        {caps.map(({ name, limit, spent, left = 0, source }) => (
          <li key={name}>
            <label>
              <span>{name}</span> <meter min={0} max={limit} high={limit * 0.8} optimum={0} value={Math.min(limit, spent)} />
            </label>{' '}
            <span title={source}>{t('{spent} of {limit}, {left} left', { spent: formatCost(spent), limit: formatCost(limit), left: formatCost(left) })}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface TotalProps {
  readonly title: string;
  readonly value: string;
  readonly exact?: number;
  readonly note?: string | undefined;
}

function Total({ title, value, exact, note }: TotalProps) {
  return (
    <div>
      <dt>{title}</dt>
      <dd title={exact === undefined ? undefined : formatCount(exact)}>
        {value} {note !== undefined && <span className="usage-totals-note">{note}</span>}
      </dd>
    </div>
  );
}

function Breakdowns({ usage }: { readonly usage: Usage }) {
  const { chats } = useStore(useClient().chats);
  const titles = new Map(chats.map((chat) => [chat.chatId, chat.title]));
  const isCut = usage.rows.length < usage.totals.calls;
  return (
    <>
      <section className="page-section">
        <h2>{t('By chat')}</h2>
        <UsageTable
          caption={t('Usage by chat')}
          what={t('Chat')}
          rows={ranked(usage.byChat)}
          nameOf={(chatId) =>
            titles.has(chatId) ? (
              <a href={`#/chat/${encodeURIComponent(chatId)}`}>{titles.get(chatId) || t('Untitled chat')}</a>
            ) : (
              <span className="muted">{t('a chat that is gone')}</span>
            )
          }
        />
      </section>
      <section className="page-section">
        <h2>{t('By purpose')}</h2>
        <UsageTable caption={t('Usage by purpose')} what={t('Purpose')} rows={ranked(usage.byPurpose)} />
      </section>
      <section className="page-section">
        <h2>{t('By model')}</h2>
        {isCut && <p className="muted small usage-note">{t('Of the newest {count} calls.', { count: formatCount(usage.rows.length) })}</p>}
        <UsageTable caption={t('Usage by model')} what={t('Model')} rows={ranked(sumModels(usage.rows))} />
      </section>
      <section className="page-section">
        <h2>{t('By plugin')}</h2>
        <UsageTable caption={t('Usage by plugin')} what={t('Plugin')} rows={ranked(usage.byPlugin)} />
      </section>
    </>
  );
}
