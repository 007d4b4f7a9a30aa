// Renders a line that is neither a message nor a call: the end of a turn, an error, or a note of the page itself.
import type { NoteEntry } from 'agent-harness/client';
import { TriangleAlert } from 'lucide-react';
import { memo, Suspense } from 'react';
import { lazyPart } from '../../kit/lazy-part.ts';
import { useCut } from '../../kit/cut.tsx';
import { t } from '../../kit/t.ts';

const MendProvider = lazyPart(async () => (await import('./fix-provider.tsx')).FixProvider);
/** Errors that the user can fix with another key, more credit or another model. */
const mendable: ReadonlySet<string> = new Set([
  'provider_auth',
  'provider_refused',
  'provider_unavailable',
  'budget',
  'rate_limited',
  'no_adapter',
  'bad_reply',
  'empty_reply',
]);
const limits = { lines: 12, chars: 2_000 };

export const NoteLine = memo(function NoteLine({ entry }: { readonly entry: NoteEntry }) {
  const { id, kind, code } = entry;
  const { text, more } = useCut(id, entry.text, limits);
  if (kind === 'system')
    return (
      <article className="note-line" data-entry-id={id} data-kind="note" aria-label={t('Note')}>
        <p dir="auto">{text}</p>
        {more}
      </article>
    );
  return (
    <article className="error-line" data-entry-id={id} data-kind="error" aria-label={t('Error')}>
      <TriangleAlert size={16} aria-hidden />
      <div>
        <p dir="auto">
          <span className="visually-hidden">{t('Error:')} </span>
          {text}
        </p>
        {code !== undefined && <p className="error-line-code">{code}</p>}
        {more}
        {code !== undefined && mendable.has(code) && (
          <Suspense>
            <MendProvider code={code} turnId={entry.turnId} />
          </Suspense>
        )}
      </div>
    </article>
  );
});
