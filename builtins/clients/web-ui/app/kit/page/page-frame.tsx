// Renders the frame of a page: heading, description, and content column.
import { useId, type ReactNode } from 'react';
import './pages.css';

export interface PageFrameProps {
  readonly title: string;
  readonly intro?: ReactNode;
  /** Buttons beside the heading. */
  readonly actions?: ReactNode;
  readonly isBusy?: boolean;
  readonly children: ReactNode;
}

export function PageFrame({ title, intro, actions, isBusy = false, children }: PageFrameProps) {
  const headingId = useId();
  return (
    <section className="page" aria-labelledby={headingId} aria-busy={isBusy}>
      <header className="page-head">
        <div className="page-title">
          <h1 id={headingId}>{title}</h1>
          {intro !== undefined && <p className="muted">{intro}</p>}
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
