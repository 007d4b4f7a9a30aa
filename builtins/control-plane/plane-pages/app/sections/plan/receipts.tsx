// What calls of models cost, each with a receipt, and the sums by member, purpose and model.
import { Choices } from '#page/kit/page/choices.tsx';
import { formatCount, formatTime } from '#page/kit/page/format.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { isAtLeast, useMembership } from '../../base/me.ts';
import { call, type ReplyOf } from '../../base/plane.ts';
import { MoreOf } from '../../base/more-of.tsx';
import { Empty } from '#page/kit/page/rows.tsx';
import { usePaged } from '../../base/use-paged.ts';
import { usePeople } from '../../base/use-people.ts';
import { creditText } from './credit-text.ts';
import { sumsBy } from './sums.ts';

export type Receipt = ReplyOf<'GET /api/inference/receipts'>['receipts'][number];

const perPage = 100;

export function Receipts() {
  const { role } = useMembership();
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
        <h2 id="receipts-title">Spend</h2>
        {isAtLeast(role, 'admin') && (
          <a className="button" href="/api/inference/statement?format=csv" download>
            <Download size={16} aria-hidden /> Statement
          </a>
        )}
      </div>
      <WhenLoaded loaded={paged} what="receipts">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing was spent">Calls of models that the wallet pays for stand here, each with what was held and what it cost.</Empty>
          ) : (
            <>
              <Sums receipts={items} isPartial={paged.hasMore} />
              <ReceiptTable receipts={items} />
            </>
          )
        }
      </WhenLoaded>
      <MoreOf paged={paged} />
    </section>
  );
}

const groupings = { purpose: 'By purpose', userId: 'By member', model: 'By model' } as const;

function Sums({ receipts, isPartial }: { readonly receipts: readonly Receipt[]; readonly isPartial: boolean }) {
  const [by, setBy] = useState<keyof typeof groupings>('purpose');
  const nameOf = usePeople();
  const sums = sumsBy(receipts, by);
  const most = Math.max(1, ...sums.map(({ micro }) => micro));
  return (
    <div className="page-card padded receipts-sums">
      <Choices legend="Sums" value={by} options={groupings} onChange={setBy} />
      <ul className="receipts-bars">
        {sums.map(({ name, micro, calls }) => (
          <li key={name}>
            <span className="receipts-name">{by === 'userId' ? nameOf(name) : name}</span>
            <span className="muted small">
              {creditText(micro)} · {formatCount(calls)} {calls === 1 ? 'call' : 'calls'}
            </span>
            <progress aria-hidden max={most} value={micro} />
          </li>
        ))}
      </ul>
      {isPartial && <p className="muted small">Of the newest {formatCount(receipts.length)} calls.</p>}
    </div>
  );
}

const outcomes: Readonly<Record<string, string>> = { complete: '', cut: 'cut by the provider', left: 'left by the caller', expired: 'ended with a node' };

function ReceiptTable({ receipts }: { readonly receipts: readonly Receipt[] }) {
  const nameOf = usePeople();
  return (
    <div className="page-card page-scroll receipts-table" tabIndex={0} role="region" aria-label="Receipts">
      <table className="page-table">
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Model</th>
            <th scope="col">For</th>
            <th scope="col">Who</th>
            <th scope="col" className="number">
              Tokens in, out
            </th>
            <th scope="col" className="number">
              Held
            </th>
            <th scope="col" className="number">
              Paid
            </th>
          </tr>
        </thead>
        <tbody>
          {receipts.map((one) => (
            <tr key={one.id}>
              <td className="receipts-when">{formatTime(one.at)}</td>
              <th scope="row">{one.model}</th>
              <td>{one.purpose}</td>
              <td>{nameOf(one.userId)}</td>
              <td className="number">{one.inputTokens === null ? '–' : `${formatCount(one.inputTokens)}, ${formatCount(one.outputTokens ?? 0)}`}</td>
              <td className="number muted">{creditText(one.heldMicro)}</td>
              <td className="number">
                {creditText(one.amountMicro)}
                <span className="muted">{[one.basis === 'estimate' ? ' estimated' : '', outcomes[one.outcome] ?? one.outcome].filter(Boolean).join(', ')}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
