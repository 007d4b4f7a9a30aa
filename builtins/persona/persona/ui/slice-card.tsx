// Renders one section of the character: text, origin and actions.
import { History, Pencil } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { TextEditor } from '#page/points/text-editor.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { sliceWords, sourceWords, type Slice } from './persona-calls.ts';
import { Difference } from './difference.tsx';
import { SliceHistory } from './slice-history.tsx';
import { t, tx } from '#page/kit/t.ts';

interface SliceCardProps {
  readonly slice: Slice;
  readonly onChanged: () => void;
}

export function SliceCard({ slice, onChanged }: SliceCardProps) {
  const { name, text, source, tokens, maxTokens, revision, outside, lines } = slice;
  const { title, about } = sliceWords[name];
  const id = useId();
  const client = useClient();
  const [isEditing, setEditing] = useState(false);
  const [isHistoryOpen, setHistoryOpen] = useState(false);
  const editButton = useRef<HTMLButtonElement>(null);

  async function save(next: string, base: number): Promise<void> {
    await client.call('PUT /api/persona/slices/:name', { params: { name }, body: { text: next, base } });
    onChanged();
  }

  function endEditing(): void {
    setEditing(false);
    // The next rendering removes the focused element.
    requestAnimationFrame(() => editButton.current?.focus());
  }

  return (
    <li className="page-card persona-part" aria-labelledby={id}>
      <div className="persona-part-head">
        <div>
          <h3 id={id}>{title}</h3>
          <p className="muted small">{about}</p>
        </div>
        <div className="persona-part-buttons">
          <button
            ref={editButton}
            type="button"
            className="button"
            aria-label={t('Edit {title}', { title })}
            aria-expanded={isEditing}
            onClick={() => setEditing(true)}
          >
            <Pencil size={15} aria-hidden="true" /> {t('Edit')}
          </button>
          <button
            type="button"
            className="button"
            aria-label={t('History of {title}', { title })}
            aria-expanded={isHistoryOpen}
            onClick={() => setHistoryOpen(!isHistoryOpen)}
          >
            <History size={15} aria-hidden="true" /> {t('History')}
          </button>
        </div>
      </div>
      {outside && <Outside slice={slice} onChanged={onChanged} />}
      {isEditing ? (
        <TextEditor
          {...{ label: t('Text of {title}', { title }), what: t('It'), now: { text, revision }, maxLength: 4_000, rows: { least: 4, most: 14 }, save }}
          isFit={(written) => written !== text}
          conflictCode="conflict"
          onFault={onChanged}
          onDone={endEditing}
        />
      ) : (
        <>
          {name === 'living' ? <LivingLines lines={lines ?? []} /> : <p className="persona-text">{text}</p>}
          <p className="muted small persona-facts">
            <span>{sourceWords[source]}</span>
            <span>{t('version {revision}', { revision })}</span>
            <span>{t('about {tokens} of {maxTokens} tokens', { tokens, maxTokens })}</span>
          </p>
        </>
      )}
      {isHistoryOpen && <SliceHistory slice={slice} title={title} onChanged={onChanged} />}
    </li>
  );
}

function LivingLines({ lines }: { readonly lines: NonNullable<Slice['lines']> }) {
  if (lines.length === 0) return <p className="muted">{t('Nothing yet. Your instructions about its behaviour appear here, and you can remove each one.')}</p>;
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

/** Renders an edit made by another program, which is not used until the user accepts it. */
function Outside({ slice: { name, text, outside }, onChanged }: SliceCardProps) {
  const client = useClient();
  const { isBusy, run } = useAct(onChanged);
  if (!outside) return null;
  const { hash } = outside;
  const decide = (take: boolean): void => void run(() => client.call('POST /api/persona/slices/:name/outside', { params: { name }, body: { hash, take } }));
  return (
    <div className="persona-outside" role="group" aria-label={t('The file differs')}>
      <p>
        {tx('{strong} Another program changed it. The change has no effect until you accept it.', {
          strong: <strong>{t('The file differs.')}</strong>,
        })}
      </p>
      <Difference before={text} after={outside.text} id={`outside ${hash}`} />
      <div className="persona-part-buttons">
        <button type="button" className="button" disabled={isBusy} onClick={() => decide(true)}>
          {t('Accept')}
        </button>
        <button type="button" className="button" disabled={isBusy} onClick={() => decide(false)}>
          {t('Restore my text')}
        </button>
      </div>
    </div>
  );
}
