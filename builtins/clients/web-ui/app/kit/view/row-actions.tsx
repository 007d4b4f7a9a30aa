// Renders the actions of a view or one of its rows, as buttons.
import type { ViewAction } from 'agent-harness/view';
import { use } from 'react';
import { t } from '../t.ts';
import { ActInViewContext } from './view-context.ts';
import './row-actions.css';

/** @param about description of the row, for screen readers */
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
