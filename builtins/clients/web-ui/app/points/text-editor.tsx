// Renders an in-place text editor that reports concurrent changes and asks for confirmation before it discards text.
import { codeOf } from '#lib/errors';
import { useId, useState, type FormEvent, type KeyboardEvent } from 'react';
import { FieldTools } from './field-tools.tsx';
import { explainError } from '../kit/page/explain-error.ts';
import { useConfirm } from '../kit/page/use-confirm.tsx';
import { t } from '../kit/t.ts';
import './text-editor.css';
import { isComposing } from '../kit/composing.ts';

export interface TextEditorProps {
  /** Label for screen readers. */
  readonly label: string;
  /** Subject of the text, as the start of a sentence. */
  readonly what: string;
  /** The current version, which may change while the user is editing. */
  readonly now: { readonly text: string; readonly revision: number };
  readonly rows: { readonly least: number; readonly most: number };
  readonly maxLength: number;
  /** Returns whether a text may be saved. */
  readonly isFit: (text: string) => boolean;
  /** Saves a text. Rejects if that fails; the code is `conflictCode` if the revision is outdated. @param revision the version that the user has edited */
  readonly save: (text: string, revision: number) => Promise<void>;
  readonly conflictCode: string;
  readonly onFault?: (isConflict: boolean) => void;
  readonly onDone: () => void;
}

export function TextEditor({ label, what, now, rows, maxLength, isFit, save, conflictCode, onFault, onDone }: TextEditorProps) {
  const id = useId();
  // The version at the start of editing, or the newer version that was last shown.
  const [seen, setSeen] = useState(now);
  const [text, setText] = useState(now.text);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [ask, dialog] = useConfirm();

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    try {
      await save(text, seen.revision);
      onDone();
    } catch (fault) {
      const isConflict = codeOf(fault) === conflictCode;
      setProblem(isConflict ? t('{subject} changed in the meantime, so your text was not saved. It is still here.', { subject: what }) : explainError(fault));
      setBusy(false);
      onFault?.(isConflict);
    }
  }

  function goOn(next: string): void {
    setSeen(now);
    setText(next);
    setProblem(undefined);
    document.getElementById(id)?.focus();
  }

  function leave(event: KeyboardEvent): void {
    // Key presses in a dialog over this one are also delivered here.
    if (event.key !== 'Escape' || isComposing(event.nativeEvent) || !event.currentTarget.contains(event.target as Node)) return;
    if (text === seen.text || text === now.text) onDone();
    else ask({ title: t('Discard your changes?'), text: t('They are not saved.'), action: t('Discard'), go: onDone });
  }

  return (
    <form className="text-editor" onSubmit={(event) => void submit(event)} onKeyDown={leave}>
      <label htmlFor={id} className="visually-hidden">
        {label}
      </label>
      <FieldTools>
        <textarea
          id={id}
          className="field"
          rows={Math.min(rows.most, Math.max(rows.least, text.split('\n').length))}
          maxLength={maxLength}
          value={text}
          autoFocus
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
          onChange={(event) => setText(event.target.value)}
        />
      </FieldTools>
      <p id={`${id}-problem`} className="text-editor-problem small" role="alert">
        {problem}
      </p>
      {now.revision !== seen.revision && (
        <div className="text-editor-newer small" role="status">
          <p>
            <strong>{t('Current text:')}</strong> <span className="text-editor-value">{now.text}</span>
          </p>
          <div className="text-editor-buttons">
            <button type="button" className="button" onClick={() => goOn(text)}>
              {t('Keep my text')}
            </button>
            <button type="button" className="button" onClick={() => goOn(now.text)}>
              {t('Use the newer text')}
            </button>
          </div>
        </div>
      )}
      <div className="text-editor-buttons">
        <button type="submit" className="button primary" disabled={isBusy || !isFit(text)}>
          {isBusy ? t('Saving…') : t('Save')}
        </button>
        <button type="button" className="button" onClick={onDone}>
          {t('Cancel')}
        </button>
      </div>
      {dialog}
    </form>
  );
}
