// Sums by something, as a table with a bar for the share.
import { useState, type ReactNode } from 'react';
import { formatCost, formatCount } from '../../kit/page/format.ts';
import { tokensOf, type NamedSums } from './usage-model.ts';
import { t } from '../../kit/t.ts';

/** So many rows are shown at first. */
const firstRows = 20;

export interface UsageTableProps {
  readonly caption: string;
  /** Heading of the first column. */
  readonly what: string;
  readonly rows: readonly NamedSums[];
  readonly nameOf?: (key: string) => ReactNode;
  /** In the order of `rows` where left out; what time goes by has no share. */
  readonly hasShare?: boolean;
}

export function UsageTable({ caption, what, rows, nameOf = (key) => key, hasShare = true }: UsageTableProps) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? rows : rows.slice(0, firstRows);
  const most = Math.max(1, ...rows.map(({ sums }) => tokensOf(sums)));
  return (
    <div className="page-card page-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table className="page-table usage-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{what}</th>
            <th scope="col" className="number">
              {t('Calls')}
            </th>
            <th scope="col" className="number">
              {t('In')}
            </th>
            <th scope="col" className="number">
              {t('Cached')}
            </th>
            <th scope="col" className="number">
              {t('Out')}
            </th>
            <th scope="col" className="number">
              {t('Cost')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, sums }) => (
            <tr key={key}>
              <th scope="row">
                {nameOf(key)}
                {hasShare && (
                  <svg className="usage-table-share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
                    <rect width={(tokensOf(sums) / most) * 100} height={4} />
                  </svg>
                )}
              </th>
              <td className="number">{formatCount(sums.calls)}</td>
              <td className="number">{formatCount(sums.input)}</td>
              <td className="number">{formatCount(sums.cached)}</td>
              <td className="number">{formatCount(sums.output)}</td>
              <td className="number">{sums.cost > 0 ? formatCost(sums.cost) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length < rows.length && (
        <button type="button" className="button bare usage-table-more" onClick={() => setWhole(true)}>
          {t('Show all {count}', { count: formatCount(rows.length) })}
        </button>
      )}
    </div>
  );
}
