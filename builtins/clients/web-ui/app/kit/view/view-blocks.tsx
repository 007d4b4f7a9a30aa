// Renders the blocks of a view: tables, lists, forms, and charts with their values.
import { actionsOf, actionsOfRow, headOf, type Block, type BlockKind, type View } from 'agent-harness/view';
import { use, type ComponentType } from 'react';
import { BarChart } from '../chart/bar-chart.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { formatCost, formatPercent } from '../page/format.ts';
import { phone, useMedia } from '../use-media.ts';
import { rowOf } from '../short-texts.ts';
import { t } from '../t.ts';
import { ActionForm } from './action-form.tsx';
import { DiffBlock } from './diff-block.tsx';
import { ListBlock } from './list-block.tsx';
import { EmptyBlock } from './empty-block.tsx';
import { Actions } from './row-actions.tsx';
import { RowLink } from './row-link.tsx';
import { pluginText, pluginTextLines } from './plugin-text.ts';
import { chartLabel, formatNumber, isNumeric, Value } from './value.tsx';
import { ActInViewContext } from './view-context.ts';

interface Props<K extends BlockKind> {
  readonly block: Block<K>;
  readonly view: View;
  /** Key of stored state, such as expanded items. */
  readonly id: string;
}

/** @param level heading level of the blocks */
export function ViewBlocks({ view, id, level: Heading }: { readonly view: View; readonly id: string; readonly level: 'h2' | 'h3' }) {
  return view.blocks.map((block, at) => {
    const Drawn = blocks[block.kind] as ComponentType<Props<BlockKind>>;
    const title = headOf(view, block);
    return (
      <div key={at} className="view-block" data-block={block.kind}>
        {title !== undefined && <Heading dir="auto">{pluginText(title)}</Heading>}
        <Drawn block={block} view={view} id={`${id}:${at}`} />
      </div>
    );
  });
}

const blocks: { readonly [K in BlockKind]: ComponentType<Props<K>> } = {
  text: ({ block: { text, isPlain = false, isGrowing = false }, id }) =>
    isPlain ? (
      <p className="view-plain" dir="auto">
        {pluginTextLines(text)}
      </p>
    ) : (
      <Markdown text={text} id={id} isStreaming={isGrowing} />
    ),
  fields: ({ block }) => (
    <dl className="view-fields">
      {block.fields.map(({ label, value, kind }, at) => (
        <div key={at}>
          <dt>{pluginText(label)}</dt>
          <dd>
            <Value value={value} kind={kind} />
          </dd>
        </div>
      ))}
    </dl>
  ),
  table: TableBlock,
  list: ListBlock,
  chart: ChartBlock,
  diff: DiffBlock,
  progress: ({ block: { label, value, detail } }) => (
    <div className="view-progress">
      <label>
        <span dir="auto">{pluginText(label)}</span> <progress max={1} value={value} />
      </label>{' '}
      <span className="muted small" dir="auto">
        {rowOf([...(value === undefined ? [] : [formatPercent(value)]), ...(detail === undefined ? [] : [pluginText(detail)])])}
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

function TableBlock({ block: { columns, rows, rowActions, title }, view }: Props<'table'>) {
  const canAct = use(ActInViewContext) !== undefined && rows.some((row) => actionsOfRow(rowActions, row).length > 0);
  const isPhone = useMedia(phone);
  if (rows.length === 0) return <EmptyBlock />;
  const isNumber = columns.map(({ kind }) => isNumeric(kind));
  return (
    <div className="page-scroll" role="region" aria-label={pluginText(title ?? columns[0]?.title ?? '')} tabIndex={0}>
      <table className="page-table view-table">
        <thead>
          <tr>
            {columns.map((column, at) => (
              <th key={at} scope="col" className={isNumber[at] ? 'number' : undefined}>
                {pluginText(column.title)}
              </th>
            ))}
            {canAct && !isPhone && (
              <th scope="col">
                <span className="visually-hidden">{t('Actions')}</span>
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
                    <th key={at} scope="row">
                      <RowLink opens={row.opens} view={view}>
                        {value}
                      </RowLink>
                      {isPhone && actions}
                    </th>
                  ) : (
                    <td key={at} className={isNumber[at] ? 'number' : kind === undefined || kind === 'text' ? 'view-words' : 'view-whole'}>
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

function ChartBlock({ block: { labels, labelKind, series, unit, form, title } }: Props<'chart'>) {
  if (labels.length === 0) return <EmptyBlock />;
  const valueOf = (value: number): string => (unit === 'USD' ? formatCost(value) : unit === undefined ? formatNumber(value) : `${formatNumber(value)} ${unit}`);
  const names = series.map((one) => pluginText(one.title));
  const labelTexts = labels.map((label) => chartLabel(label, labelKind));
  const bars = labelTexts.map(({ long: label, short }, at) => ({
    id: String(at),
    shortLabel: short,
    values: series.map(({ values }) => values[at] ?? 0),
    words: t('{label}: {figures}', { label, figures: rowOf(series.map(({ values }, index) => `${names[index]} ${valueOf(values[at] ?? 0)}`)) }),
  }));
  const called = title === undefined ? rowOf(names) : pluginText(title);
  return (
    <>
      <BarChart label={called} isLine={form === 'line'} series={names} bars={bars} hint={t('Point at a value, or use the arrow keys.')} />
      <details className="page-more">
        <summary>{t('Show the chart as a table')}</summary>
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
              {labelTexts.map(({ long: label }, at) => (
                <tr key={at}>
                  <th scope="row">{label}</th>
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
