// Renders a diff block of a view. If hunks have actions, each hunk is rendered separately.
import { hunksOf } from '#lib/diff-parts';
import { actionsOfRow, type Block } from 'agent-harness/view';
import { use } from 'react';
import { DiffView } from '../diff/diff-view.tsx';
import { t } from '../t.ts';
import { Actions } from './row-actions.tsx';
import { pluginText } from './plugin-text.ts';
import { ActInViewContext } from './view-context.ts';
import './diff-block.css';

interface Props {
  readonly block: Block<'diff'>;
  /** Key of the stored state. */
  readonly id: string;
  /** Whether another element already shows the path. */
  readonly isUntitled?: boolean;
}

export function DiffBlock({ block: { path, diff, title, hunks = [], rowActions }, id, isUntitled = false }: Props) {
  const canAct = use(ActInViewContext) !== undefined && hunks.some((row) => actionsOfRow(rowActions, row).length > 0);
  const ofPath = path === undefined ? {} : { path };
  const about = path ?? (title === undefined ? '' : pluginText(title));
  return (
    <>
      {path !== undefined && !isUntitled && (
        <p className="view-path" dir="ltr">
          <code>{path}</code>
        </p>
      )}
      {canAct ? (
        <ol className="view-hunks" aria-label={t('Changes in {path}', { path: about })}>
          {hunksOf(diff).map((hunk, at) => {
            const row = hunks[at];
            return (
              <li key={row?.id ?? at}>
                <DiffView {...ofPath} diff={hunk.diff} id={`${id}:${row?.id ?? at}`} />
                {row && <Actions actions={actionsOfRow(rowActions, row)} row={row.id} about={t('Line {start}', { start: hunk.line })} />}
              </li>
            );
          })}
        </ol>
      ) : (
        <DiffView {...ofPath} diff={diff} id={id} />
      )}
    </>
  );
}
