// Renders the second step of the setup, in which the sections are shown while they are written.
import { Check, LoaderCircle } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { readablePreview, stageWords, titleOf, type Generation, type Preview } from './generation-state.ts';
import { t } from '#page/kit/t.ts';

interface MakingProps {
  readonly making: Generation;
  readonly input: string;
  /** Closes the dialog; the persona is still created in the background. */
  readonly onLeave?: () => void;
}

export function FirstRunGeneration({ making: { stage, previews }, input, onLeave }: MakingProps) {
  return (
    <>
      <Dialog.Title className="first-run-title">{t('Creating the persona…')}</Dialog.Title>
      <p className="first-run-wish">
        <q>{input}</q>
      </p>
      <p className="first-run-stage" role="status">
        <LoaderCircle size={16} className="first-run-turning" aria-hidden="true" /> {stageWords(stage)}
      </p>
      <ul className="first-run-previews" aria-label={t('Current parts')}>
        {previews.map((preview, at) => (
          <PreviewCard key={preview.name} preview={preview} isWritten={at < previews.length - 1 || stage === 'apply'} />
        ))}
      </ul>
      {onLeave && (
        <div className="first-run-buttons">
          <button type="button" className="button bare" onClick={onLeave}>
            {t('Continue in the background')}
          </button>
        </div>
      )}
    </>
  );
}

function PreviewCard({ preview: { name, text }, isWritten }: { readonly preview: Preview; readonly isWritten: boolean }) {
  const card = useRef<HTMLLIElement>(null);
  const box = useRef<HTMLParagraphElement>(null);
  const words = readablePreview(text);
  // Scrolls to the newest text.
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
    if (!isWritten) card.current?.scrollIntoView({ block: 'nearest' });
  }, [words, isWritten]);
  return (
    <li className="first-run-preview" data-artifact={name} ref={card}>
      <h3>
        {titleOf(name)}
        {isWritten && <Check size={14} aria-label={t('written')} />}
      </h3>
      <p ref={box}>{words === '' ? <span className="first-run-line" aria-hidden="true" /> : words}</p>
    </li>
  );
}
