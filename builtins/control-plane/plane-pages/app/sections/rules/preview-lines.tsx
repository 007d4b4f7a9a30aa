// Renders the members that a change would affect, as calculated by the control plane.
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { useSettled } from '#page/kit/page/use-settled.ts';
import type { RulesDocument } from './rules-document.ts';

export interface PreviewLinesProps<T> {
  /** The document as text; a changed text loads the preview again. */
  readonly text: string;
  readonly document: T;
  readonly rules: Pick<RulesDocument<T>, 'preview'>;
}

/** Delay after the last change before the preview is requested, in milliseconds. */
const settleMs = 400;
const shownAtMost = 12;
const membersAtMost = 100;

export function PreviewLines<T>({ text, document, rules }: PreviewLinesProps<T>) {
  const key = useSettled(text, settleMs);
  const { value, problem } = useLoaded(key, (signal) => rules.preview(document, signal));
  if (problem !== undefined)
    return (
      <p className="page-notice bad" role="alert">
        <span>{problem}</span>
      </p>
    );
  if (!value) return null;
  return (
    <div className={`page-notice ${value.affects > 0 ? 'warn' : ''}`} role="status">
      <div>
        <p>
          <strong>
            {value.affects === 0 ? 'No member is affected.' : `Affects ${value.affects} of ${value.of} ${value.of === 1 ? 'member' : 'members'}.`}
          </strong>
        </p>
        {value.lines.slice(0, shownAtMost).map((line) => (
          <p key={line}>{line}.</p>
        ))}
        {value.members !== undefined && value.members.length > 0 && (
          <details className="page-more">
            <summary>Affected members</summary>
            <ul className="preview-members">
              {value.members.slice(0, membersAtMost).map(({ email, changes }) => (
                <li key={email}>
                  {email} <span className="muted">would {changes.join(', ')}</span>
                </li>
              ))}
              {value.members.length > membersAtMost && <li>And {value.members.length - membersAtMost} more members.</li>}
            </ul>
          </details>
        )}
        {value.lines.length > shownAtMost && <p>And {value.lines.length - shownAtMost} more changes.</p>}
      </div>
    </div>
  );
}
