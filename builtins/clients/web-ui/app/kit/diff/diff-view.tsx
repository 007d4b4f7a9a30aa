// Renders a unified diff. Its table is loaded on demand; until then, and if the diff cannot be parsed, the text is shown.
import { readDiff } from '#lib/unified-diff';
import { Suspense, useMemo } from 'react';
import { lazyPart } from '../lazy-part.ts';
import { useCut } from '../cut.tsx';
import { PlainOnError } from '../plain-on-error.tsx';
import './diff-view.css';

const DiffTable = lazyPart(async () => (await import('./diff-table.tsx')).DiffTable);
const limits = { lines: 500, chars: 200_000 };
const noLimits = { lines: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY };
/** Maximum number of lines shown as a table; more would block the page for seconds. */
const tableLines = 2_000;

interface Props {
  readonly diff: string;
  readonly path?: string;
  /** Key under which the choice "Show all" is stored. */
  readonly id?: string;
  /** Whether to show the whole diff, because a decision depends on it. */
  readonly isWhole?: boolean;
}

export function DiffView({ diff: whole, path, id = `diff:${path ?? ''}`, isWhole = false }: Props) {
  const { text, more } = useCut(id, whole, isWhole ? noLimits : limits);
  const read = useMemo(() => (text.split('\n', tableLines + 1).length > tableLines ? undefined : readDiff(text, path)), [text, path]);
  const plain = (
    <pre className="diff-plain" tabIndex={0}>
      {text}
    </pre>
  );
  return (
    <div className="diff-view" dir="ltr">
      {read ? (
        <PlainOnError text={text}>
          <Suspense fallback={plain}>
            <DiffTable diff={read.diff} fallback={plain} />
          </Suspense>
        </PlainOnError>
      ) : (
        plain
      )}
      {read && read.note !== '' && <p className="diff-note">{read.note}</p>}
      {more}
    </div>
  );
}
