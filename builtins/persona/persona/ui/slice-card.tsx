// One part of the character: what it says, where that comes from, and what can be done about it.
import { History, Pencil } from 'lucide-react';
import { useId, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import { sliceWords, sourceWords, type Slice } from './persona-calls.ts';
import { Difference } from './difference.tsx';
import { SliceEditor } from './slice-editor.tsx';
import { SliceHistory } from './slice-history.tsx';

interface SliceCardProps {
  readonly slice: Slice;
  readonly onChanged: () => void;
}

export function SliceCard({ slice, onChanged }: SliceCardProps) {
  const { name, text, source, tokens, maxTokens, revision, outside, lines } = slice;
  const { title, about } = sliceWords[name];
  const id = useId();
  const [open, setOpen] = useState<'editor' | 'history'>();
  return (
    <li className="page-card persona-part" aria-labelledby={id}>
      <div className="persona-part-head">
        <div>
          <h3 id={id}>{title}</h3>
          <p className="muted small">{about}</p>
        </div>
        <div className="persona-part-buttons">
          <button type="button" className="button" aria-label={`Edit ${title}`} aria-expanded={open === 'editor'} onClick={() => setOpen('editor')}>
            <Pencil size={15} aria-hidden="true" /> Edit
          </button>
          <button
            type="button"
            className="button"
            aria-label={`History of ${title}`}
            aria-expanded={open === 'history'}
            onClick={() => setOpen(open === 'history' ? undefined : 'history')}
          >
            <History size={15} aria-hidden="true" /> History
          </button>
        </div>
      </div>
      {outside && <Outside slice={slice} onChanged={onChanged} />}
      {open === 'editor' ? (
        <SliceEditor slice={slice} title={title} onChanged={onChanged} onDone={() => setOpen(undefined)} />
      ) : (
        <>
          {name === 'living' ? <LivingLines lines={lines ?? []} /> : <p className="persona-text">{text}</p>}
          <p className="muted small persona-facts">
            <span>{sourceWords[source]}</span>
            <span>version {revision}</span>
            <span>
              about {tokens} of {maxTokens} tokens
            </span>
          </p>
        </>
      )}
      {open === 'history' && <SliceHistory slice={slice} title={title} onChanged={onChanged} />}
    </li>
  );
}

function LivingLines({ lines }: { readonly lines: NonNullable<Slice['lines']> }) {
  if (lines.length === 0) return <p className="muted">Nothing yet. What you tell it about how to behave stands here, and you can take any line out.</p>;
  return (
    <ul className="persona-living">
      {lines.map(({ text: said, source }, at) => (
        <li key={at}>
          {said} {source !== '' && <span className="muted small">{source}</span>}
        </li>
      ))}
    </ul>
  );
}

/** Another program wrote into the file: it does not count until somebody says so. */
function Outside({ slice: { name, text, outside }, onChanged }: SliceCardProps) {
  const client = useClient();
  const { isBusy, run } = useAct(onChanged);
  if (!outside) return null;
  const { hash } = outside;
  const decide = (take: boolean): void => void run(() => client.call('POST /api/persona/slices/:name/outside', { params: { name }, body: { hash, take } }));
  return (
    <div className="persona-outside" role="group" aria-label="The file says something else">
      <p>
        <strong>The file says something else.</strong> Something other than this page wrote it. It does not count until you take it.
      </p>
      <Difference before={text} after={outside.text} id={`outside ${hash}`} />
      <div className="persona-part-buttons">
        <button type="button" className="button" disabled={isBusy} onClick={() => decide(true)}>
          Take it
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={() => decide(false)}>
          Put mine back
        </button>
      </div>
    </div>
  );
}
