// Renders a paged log as a table, or as cards on a phone.
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import type { ReactNode } from 'react';
import { MoreOf } from './more-of.tsx';
import type { Paged } from './use-paged.ts';
import '#page/kit/page/pages.css';
import './log-table.css';

export interface LogColumn<T> {
  readonly title: string;
  /** Cells of kind `head` identify the row; cells of kind `tight` are never wrapped. */
  readonly kind?: 'head' | 'number' | 'tight' | 'wide';
  readonly cell: (item: T) => ReactNode;
}

export interface LogTableProps<T> {
  readonly paged: Paged<T>;
  /** Accessible name of the table. */
  readonly label: string;
  /** Noun for the message `Loading the …`. */
  readonly what: string;
  readonly columns: readonly LogColumn<T>[];
  readonly keyOf: (item: T) => string | number;
  /** Shown instead of an empty table. */
  readonly empty: ReactNode;
  readonly above?: (items: readonly T[]) => ReactNode;
}

export function LogTable<T>({ paged, label, what, columns, keyOf, empty, above }: LogTableProps<T>) {
  return (
    <>
      <WhenLoaded loaded={paged} what={what}>
        {({ items }) =>
          items.length === 0 ? (
            empty
          ) : (
            <>
              {above?.(items)}
              <div className="page-card page-scroll" tabIndex={0} role="region" aria-label={label}>
                {/* The roles are explicit, because the card layout on a phone would lose them. */}
                <table className="page-table log-table" role="table">
                  <thead role="rowgroup">
                    <tr role="row">
                      {columns.map(({ title, kind }) => (
                        <th key={title} scope="col" role="columnheader" className={kind}>
                          {title}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody role="rowgroup">
                    {items.map((item) => (
                      <tr key={keyOf(item)} role="row">
                        {columns.map((column) => (
                          <Cell key={column.title} column={column} item={item} />
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )
        }
      </WhenLoaded>
      <MoreOf paged={paged} />
    </>
  );
}

function Cell<T>({ column: { title, kind, cell }, item }: { readonly column: LogColumn<T>; readonly item: T }) {
  const common = { className: kind, 'data-title': title };
  return kind === 'head' ? (
    <th {...common} scope="row" role="rowheader">
      {cell(item)}
    </th>
  ) : (
    <td {...common} role="cell">
      {cell(item)}
    </td>
  );
}
