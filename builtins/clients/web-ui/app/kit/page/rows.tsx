// Renders a list of items, each with its description on the left and its actions on the right.
import type { ReactNode } from 'react';
import './rows.css';
import './pages.css';

export function Rows({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul className="page-card rows" aria-label={label}>
      {children}
    </ul>
  );
}

export interface RowProps {
  readonly title: ReactNode;
  /** Rendered beside the title. */
  readonly badges?: ReactNode;
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  /** Rendered below the item, across the full width. */
  readonly children?: ReactNode;
}

export function Row({ title, badges, about, actions, children }: RowProps) {
  return (
    <li className="row">
      <div className="row-words">
        <p className="row-title">
          <span>{title}</span>
          {badges}
        </p>
        {about !== undefined && <p className="muted small">{about}</p>}
      </div>
      {actions !== undefined && <div className="row-actions">{actions}</div>}
      {children !== undefined && children !== null && children !== false && <div className="row-more">{children}</div>}
    </li>
  );
}

export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="page-card page-empty">
      <strong>{title}</strong>
      {children}
    </div>
  );
}
