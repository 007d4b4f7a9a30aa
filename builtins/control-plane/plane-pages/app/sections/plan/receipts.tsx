// Renders the receipts of model calls, with totals by member, purpose and model.
import { Choices } from '#page/kit/page/choices.tsx';
import { countOf, formatCount, formatTime } from '#page/kit/page/format.ts';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { LogTable, type LogColumn } from '../../base/log-table.tsx';
import { isAtLeast, useMembership } from '../../base/me.ts';
import { call, type ReplyOf } from '../../base/plane.ts';
import { Empty } from '#page/kit/page/rows.tsx';
import { usePaged } from '../../base/use-paged.ts';
import { useMemberNames } from '../../base/use-member-names.ts';
import { creditText, exactCreditText } from './credit-text.ts';
import { sumsBy } from './sums.ts';

export type Receipt = ReplyOf<'GET /api/inference/receipts'>['receipts'][number];

const perPage = 100;

export function Receipts() {
  const { role } = useMembership();
  const nameOf = useMemberNames();
  const seesAll = isAtLeast(role, 'admin');
  const paged = usePaged('receipts', async (cursor, signal) => {
    const { receipts, cursor: next } = await call('GET /api/inference/receipts', {
      query: { limit: perPage, ...(cursor === undefined ? {} : { before: Number(cursor) }) },
      ...(signal ? { signal } : {}),
    });
    return { items: receipts, cursor: next };
  });
  return (
    <section className="page-section" aria-labelledby="receipts-title">
      <div className="section-head">
        <h2 id="receipts-title">{seesAll ? 'Spend' : 'Your spend'}</h2>
        {seesAll && (
          <a className="button" href="/api/inference/statement?format=csv" download>
            <Download size={16} aria-hidden /> Statement
          </a>
        )}
      </div>
      <LogTable
        paged={paged}
        label="Receipts, newest first"
        what="receipts"
        columns={columnsOf(nameOf)}
        keyOf={({ id }) => id}
        empty={<Empty title="No spending yet">Model calls paid from the wallet are listed here with their reserved and actual cost.</Empty>}
        above={(items) => <Sums receipts={items} isPartial={paged.hasMore} />}
      />
    </section>
  );
}

const groupings = { purpose: 'By purpose', userId: 'By member', model: 'By model' } as const;

function Sums({ receipts, isPartial }: { readonly receipts: readonly Receipt[]; readonly isPartial: boolean }) {
  const [by, setBy] = useState<keyof typeof groupings>('purpose');
  const nameOf = useMemberNames();
  const sums = sumsBy(receipts, by);
  const most = Math.max(1, ...sums.map(({ micro }) => micro));
  return (
    <div className="page-card padded receipts-sums">
      <Choices legend="Totals" value={by} options={groupings} onChange={setBy} />
      <ul className="receipts-bars">
        {sums.map(({ name, micro, calls }) => (
          <li key={name}>
            <span className="receipts-name">{by === 'userId' ? nameOf(name) : name}</span>
            <span className="muted small">
              {creditText(micro)} · {countOf(calls, 'call')}
            </span>
            <progress className="plain-bar" aria-hidden max={most} value={micro} />
          </li>
        ))}
      </ul>
      {isPartial && <p className="muted small">Totals of the newest {formatCount(receipts.length)} calls.</p>}
    </div>
  );
}

const outcomes: Readonly<Record<string, string>> = {
  complete: '',
  cut: 'cut off by the provider',
  left: 'cancelled by the caller',
  expired: 'ended by a node failure',
};

function columnsOf(nameOf: (userId: string) => string): readonly LogColumn<Receipt>[] {
  return [
    { title: 'When', kind: 'tight', cell: ({ at }) => <time dateTime={at}>{formatTime(at)}</time> },
    { title: 'Model', kind: 'head', cell: ({ model }) => model },
    { title: 'Purpose', kind: 'tight', cell: ({ purpose }) => purpose },
    { title: 'Member', kind: 'wide', cell: ({ userId }) => nameOf(userId) },
    {
      title: 'Tokens in, out',
      kind: 'number',
      cell: ({ inputTokens, outputTokens }) => (inputTokens === null ? '–' : `${formatCount(inputTokens)}, ${formatCount(outputTokens ?? 0)}`),
    },
    { title: 'Reserved', kind: 'number', cell: ({ heldMicro }) => <span className="muted">{exactCreditText(heldMicro)}</span> },
    {
      title: 'Paid',
      kind: 'number',
      cell: ({ amountMicro, basis, outcome }) => (
        <span>
          {exactCreditText(amountMicro)}
          <span className="muted receipts-how">{[basis === 'estimate' ? 'estimated' : '', outcomes[outcome] ?? outcome].filter(Boolean).join(', ')}</span>
        </span>
      ),
    },
  ];
}
