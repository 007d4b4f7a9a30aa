// Renders loaded data, a loading text, or an error.
import { RefreshCw } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Loaded } from './use-loaded.ts';
import { t } from '../t.ts';
import './pages.css';

export interface WhenLoadedProps<T> {
  readonly loaded: Loaded<T>;
  /** Name of the data in lower case, for the text `Loading …`. */
  readonly what: string;
  readonly children: (value: T) => ReactNode;
}

export function WhenLoaded<T>({ loaded, what, children }: WhenLoadedProps<T>) {
  const { value, problem, reload } = loaded;
  return (
    <>
      {problem !== undefined && <Problem title={t('The {subject} could not be loaded.', { subject: what })} text={problem} onRetry={reload} />}
      {value !== undefined ? children(value) : problem === undefined && <Loading what={what} />}
    </>
  );
}

export function Loading({ what }: { readonly what: string }) {
  return (
    <div className="page-loading" role="status" aria-busy="true">
      <span className="visually-hidden">{t('Loading the {subject}…', { subject: what })}</span>
      {['a', 'b', 'c', 'd'].map((line) => (
        <span key={line} className="page-loading-line" aria-hidden="true" />
      ))}
    </div>
  );
}

export interface ProblemProps {
  readonly title: string;
  readonly text: string;
  readonly onRetry?: () => void;
}

export function Problem({ title, text, onRetry }: ProblemProps) {
  return (
    <div className="page-notice bad" role="alert">
      <p>
        <strong>{title}</strong> {text}
      </p>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          <RefreshCw size={16} aria-hidden="true" /> {t('Try again')}
        </button>
      )}
    </div>
  );
}
