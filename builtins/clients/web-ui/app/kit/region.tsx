// Renders an error boundary around one part of the page, which shows a failure while the rest keeps working.
import { messageOf } from '#lib/errors';
import { RotateCcw } from 'lucide-react';
import { Component, type ErrorInfo, type ReactNode } from 'react';
import { t } from './t.ts';
import './region.css';

interface Props {
  /** Name of the part, as the start of a sentence: "The transcript". */
  readonly name: string;
  /** Key of the content, such as its id; rendering is retried when it changes. */
  readonly resetKey?: string;
  readonly onRetry?: () => void;
  readonly children: ReactNode;
}

export class Region extends Component<Props, { readonly fault: unknown }> {
  override state: { readonly fault: unknown } = { fault: undefined };

  static getDerivedStateFromError(fault: unknown): { readonly fault: unknown } {
    return { fault: fault ?? new Error(t('unknown fault')) };
  }

  override componentDidCatch(fault: unknown, { componentStack }: ErrorInfo): void {
    // eslint-disable-next-line no-console -- developers see this error only in the console
    console.error(`${this.props.name} failed.`, fault, componentStack);
  }

  override componentDidUpdate(before: Props): void {
    if (this.state.fault !== undefined && before.resetKey !== this.props.resetKey) this.setState({ fault: undefined });
  }

  retry = (): void => {
    // Browsers do not retry a failed import within the same page.
    if (/dynamically imported|importing a module|preload/i.test(messageOf(this.state.fault))) location.reload();
    this.setState({ fault: undefined });
    this.props.onRetry?.();
  };

  override render(): ReactNode {
    const { fault } = this.state;
    if (fault === undefined) return this.props.children;
    return (
      <div className="region-fault" role="alert">
        <p>
          <strong>{t('{name} could not be shown.', { name: this.props.name })}</strong>
        </p>
        <p className="muted small">{messageOf(fault)}</p>
        <button type="button" className="button" onClick={this.retry}>
          <RotateCcw size={16} aria-hidden /> {t('Try again')}
        </button>
      </div>
    );
  }
}
