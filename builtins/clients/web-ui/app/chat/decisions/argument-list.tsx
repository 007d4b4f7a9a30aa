// Lists all arguments of a call, because a decision requires the complete call.
import { rowsOf } from './call-arguments.ts';
import { PlainText } from '../../kit/plain-text.tsx';
import { t } from '../../kit/t.ts';
import './argument-list.css';

interface ArgumentListProps {
  readonly args: unknown;
  /** Arguments that are already shown elsewhere. */
  readonly shown?: readonly string[];
}

export function ArgumentList({ args, shown = [] }: ArgumentListProps) {
  const rows = rowsOf(args, shown);
  if (rows.length === 0) return shown.length > 0 ? null : <p className="muted small">{t('No arguments.')}</p>;
  return (
    <dl className="argument-list small">
      {rows.map(({ key, text }) => (
        <div key={key} className="argument-row">
          <dt>
            <PlainText text={key} />
          </dt>
          <dd>
            <code>
              <PlainText text={text} />
            </code>
          </dd>
        </div>
      ))}
    </dl>
  );
}
