// What was neither said nor done: how a turn ended, an error, a line of the page itself.
import type { NoteEntry } from 'agent-harness/client';
import { TriangleAlert } from 'lucide-react';
import { memo } from 'react';
import { useCut } from '../../kit/cut.tsx';

const limits = { lines: 12, chars: 2_000 };

export const NoteLine = memo(function NoteLine({ entry }: { readonly entry: NoteEntry }) {
  const { id, kind, code } = entry;
  const { text, more } = useCut(id, entry.text, limits);
  if (kind === 'system')
    return (
      <article className="note-line" data-entry-id={id} data-kind="note" aria-label="Note">
        <p dir="auto">{text}</p>
        {more}
      </article>
    );
  return (
    <article className="error-line" data-entry-id={id} data-kind="error" aria-label="Error">
      <TriangleAlert size={16} aria-hidden />
      <div>
        <p dir="auto">
          <span className="visually-hidden">Error: </span>
          {text}
        </p>
        {code !== undefined && <p className="error-line-code">{code}</p>}
        {more}
      </div>
    </article>
  );
});
