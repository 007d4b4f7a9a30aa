// Renders a list block of a view: steps, a tree, or a work list. Also used outside views.
import { actionsOfRow, type Block, type View } from 'agent-harness/view';
import { tn } from '../t.ts';
import { EmptyBlock } from './empty-block.tsx';
import { Actions } from './row-actions.tsx';
import { RowLink } from './row-link.tsx';
import { pluginText } from './plugin-text.ts';
import { State } from './value.tsx';
import './list-block.css';

interface Props {
  readonly block: Block<'list'>;
  /** Omitted outside a view. */
  readonly view?: View;
}

export function ListBlock({ block, view }: Props) {
  const { items, rowActions, isOrdered = false, isCompact = false, omitted = 0 } = block;
  if (items.length === 0) return <EmptyBlock />;
  const List = isOrdered ? 'ol' : 'ul';
  let number = omitted;
  return (
    <>
      {omitted > 0 && <p className="muted small">{tn(omitted, '{count} earlier one', '{count} earlier ones')}</p>}
      <List className="view-list" data-compact={isCompact || undefined} {...(isOrdered && omitted > 0 ? { start: omitted + 1 } : {})}>
        {items.map(({ level = 0, ...item }, at) => {
          if (level === 0) number++;
          return (
            <li key={item.id ?? at} data-level={level} data-state={item.state} aria-current={item.state === 'active' ? 'step' : undefined}>
              {item.state !== undefined ? <State state={item.state} isQuiet /> : isOrdered && level === 0 && <span aria-hidden>{number}.</span>}
              <span className="view-list-words">
                <span dir="auto">
                  <RowLink opens={item.opens} view={view}>
                    {pluginText(item.text)}
                  </RowLink>
                </span>
                {item.detail !== undefined && (
                  <span className="muted small" dir="auto">
                    {pluginText(item.detail)}
                  </span>
                )}
              </span>
              <Actions actions={actionsOfRow(rowActions, item)} row={item.id} about={item.text} />
            </li>
          );
        })}
      </List>
    </>
  );
}
