// The blocks of a view as the page draws them: real tables, lists and forms, a chart with its numbers beside it.
import { actionsOf, actionsOfRow, type Block, type BlockKind, type View, type ViewAction } from 'agent-harness/view';
import { clip } from 'agent-harness/lib/text';
import { use, type ComponentType } from 'react';
import { BarChart } from '../chart/bar-chart.tsx';
import { DiffView } from '../diff/diff-view.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { formatCost, formatPercent } from '../page/format.ts';
import { phone, useMedia } from '../use-media.ts';
import { rowOf } from '../words.ts';
import { t } from '../t.ts';
import { ActInViewContext } from './view-context.ts';
import { ActionForm } from './action-form.tsx';
import { formatNumber, State, Value } from './value.tsx';

interface Props<K extends BlockKind> {
  readonly block: Block<K>;
  readonly view: View;
  /** For what is kept of it, such as what is unfolded. */
  readonly id: string;
}

/** @param level of the headings of its blocks */
export function ViewBlocks({ view, id, level: Heading }: { readonly view: View; readonly id: string; readonly level: 'h2' | 'h3' }) {
  return view.blocks.map((block, at) => {
    const Drawn = blocks[block.kind] as ComponentType<Props<BlockKind>>;
    return (
      <div key={at} className="view-block" data-block={block.kind}>
        {block.title !== undefined && <Heading dir="auto">{t(block.title)}</Heading>}
        <Drawn block={block} view={view} id={`${id}:${at}`} />
      </div>
    );
  });
}

const blocks: { readonly [K in BlockKind]: ComponentType<Props<K>> } = {
  text: ({ block, id }) => <Markdown text={block.text} id={id} />,
  fields: ({ block }) => (
    <dl className="view-fields">
      {block.fields.map(({ label, value, kind }, at) => (
        <div key={at}>
          <dt>{t(label)}</dt>
          <dd dir="auto">
            <Value value={value} kind={kind} />
          </dd>
        </div>
      ))}
    </dl>
  ),
  table: TableBlock,
  list: ({ block: { items, rowActions } }) =>
    items.length === 0 ? (
      <Nothing />
    ) : (
      <ul className="view-list">
        {items.map((item, at) => (
          <li key={item.id ?? at} data-level={item.level ?? 0} aria-current={item.state === 'active' ? 'step' : undefined}>
            {item.state !== undefined && <State state={item.state} isQuiet />}
            <span className="view-list-words">
              <span dir="auto">{t(item.text)}</span>
              {item.detail !== undefined && (
                <span className="muted small" dir="auto">
                  {t(item.detail)}
                </span>
              )}
            </span>
            <Actions actions={actionsOfRow(rowActions, item)} row={item.id} about={item.text} />
          </li>
        ))}
      </ul>
    ),
  chart: ChartBlock,
  diff: ({ block, id }) => (
    <>
      {block.path !== undefined && (
        <p className="view-path" dir="ltr">
          <code>{block.path}</code>
        </p>
      )}
      <DiffView diff={block.diff} id={id} {...(block.path === undefined ? {} : { path: block.path })} />
    </>
  ),
  progress: ({ block: { label, value, detail } }) => (
    <div className="view-progress">
      <label>
        <span dir="auto">{t(label)}</span> <progress max={1} value={value} />
      </label>{' '}
      <span className="muted small" dir="auto">
        {rowOf([...(value === undefined ? [] : [formatPercent(value)]), ...(detail === undefined ? [] : [t(detail)])])}
      </span>
    </div>
  ),
  form: FormBlock,
};

function FormBlock({ block, view }: Props<'form'>) {
  const acting = use(ActInViewContext);
  const action = actionsOf(view).find((one) => one.action.id === block.action)?.action;
  return action && acting ? <ActionForm action={action} /> : null;
}

function TableBlock({ block: { columns, rows, rowActions, title } }: Props<'table'>) {
  const canAct = use(ActInViewContext) !== undefined && rows.some((row) => actionsOfRow(rowActions, row).length > 0);
  const isPhone = useMedia(phone);
  if (rows.length === 0) return <Nothing />;
  const isNumber = columns.map(({ kind }) => kind === 'number' || kind === 'money');
  return (
    <div className="page-scroll" role="region" aria-label={t(title ?? columns[0]?.title ?? '')} tabIndex={0}>
      <table className="page-table view-table">
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col" className={isNumber[at] ? 'number' : undefined}>
                {t(column.title)}
              </th>
            ))}
            {canAct && !isPhone && (
              <th scope="col">
                <span className="visually-hidden">{t('What can be done')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => {
            const actions = <Actions actions={actionsOfRow(rowActions, row)} row={row.id} about={String(row.cells[0] ?? '')} />;
            return (
              <tr key={row.id ?? index}>
                {columns.map(({ kind }, at) => {
                  const value = <Value value={row.cells[at] ?? null} kind={kind} />;
                  return at === 0 ? (
                    <th key={at} scope="row" dir="auto">
                      {value}
                      {isPhone && actions}
                    </th>
                  ) : (
                    <td key={at} className={isNumber[at] ? 'number' : kind === undefined || kind === 'text' ? undefined : 'view-whole'}>
                      {value}
                    </td>
                  );
                })}
                {canAct && !isPhone && <td className="view-row-actions">{actions}</td>}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function ChartBlock({ block: { labels, series, unit, form, title } }: Props<'chart'>) {
  if (labels.length === 0) return <Nothing />;
  const valueOf = (value: number): string => (unit === 'USD' ? formatCost(value) : unit === undefined ? formatNumber(value) : `${formatNumber(value)} ${unit}`);
  const names = series.map((one) => t(one.title));
  const bars = labels.map((label, at) => ({
    id: String(at),
    shortLabel: clip(label, 9),
    values: series.map(({ values }) => values[at] ?? 0),
    words: t('{label}: {figures}', { label, figures: rowOf(series.map(({ values }, index) => `${names[index]} ${valueOf(values[at] ?? 0)}`)) }),
  }));
  const called = title === undefined ? rowOf(names) : t(title);
  return (
    <>
      <BarChart label={called} isLine={form === 'line'} series={names} bars={bars} hint={t('Point at a bar, or go through them with the arrow keys.')} />
      <details className="page-more">
        <summary>{t('Show the picture as a table')}</summary>
        <div className="page-scroll" role="region" aria-label={t('{label}, as numbers', { label: called })} tabIndex={0}>
          <table className="page-table view-table">
            <thead>
              <tr>
                <td />
                {names.map((name, at) => (
                  <th key={at} scope="col" className="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {labels.map((label, at) => (
                <tr key={at}>
                  <th scope="row" dir="auto">
                    {label}
                  </th>
                  {series.map(({ values }, index) => (
                    <td key={index} className="number">
                      {valueOf(values[at] ?? 0)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}

function Nothing() {
  return <p className="muted">{t('Nothing is here.')}</p>;
}

/** @param about what the row is, for whoever hears the buttons without the row */
export function Actions({ actions, row, about }: { readonly actions: readonly ViewAction[]; readonly row?: string | undefined; readonly about?: string }) {
  const acting = use(ActInViewContext);
  if (!acting || actions.length === 0) return null;
  return (
    <span className="view-actions">
      {actions.map((action) => (
        <button
          key={action.id}
          type="button"
          className={`button${action.kind === undefined ? '' : ` ${action.kind}`}${row === undefined ? '' : ' small'}`}
          aria-label={about === undefined ? undefined : t('{action}: {about}', { action: t(action.label), about })}
          disabled={acting.isBusy}
          onClick={() => void acting.act(action, row)}
        >
          {t(action.label)}
        </button>
      ))}
    </span>
  );
}
