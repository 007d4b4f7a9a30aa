// Renders the first step of the setup: one field, and suggested sentences.
import { Dialog } from 'radix-ui';
import { useId, type FormEvent } from 'react';
import { BrandMark } from '#page/kit/brand-mark.tsx';
import { t, table } from '#page/kit/t.ts';
import { isComposing } from '#page/kit/composing.ts';

interface AskProps {
  readonly input: string;
  readonly isBusy: boolean;
  readonly problem: string | undefined;
  readonly onInput: (text: string) => void;
  readonly onGo: () => void;
  readonly onSkip?: () => void;
  readonly onCancel?: () => void;
}

const examples = table([
  ['A calm mentor', 'A calm, patient mentor who explains one step at a time and never rushes me.'],
  ['A blunt colleague', 'A blunt senior engineer: concise, precise, no small talk, says when I am wrong.'],
  ['A warm librarian', 'A warm, well-read librarian who loves old books and tells where things come from.'],
  ['A ship’s pirate', 'A cheerful pirate of the northern sea, playful, but careful with my files.'],
] as const);

export function FirstRunAsk({ input, isBusy, problem, onInput, onGo, onSkip, onCancel }: AskProps) {
  const id = useId();
  const isEmpty = input.trim() === '';

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!isEmpty && !isBusy) onGo();
  }

  return (
    <>
      <BrandMark size={44} />
      <Dialog.Title className="first-run-title">{t('Personality')}</Dialog.Title>
      <p className="muted">{t('One sentence is enough. It shapes how I talk, what I insist on, and how this page looks. You can change every part later.')}</p>
      <form onSubmit={submit}>
        <label htmlFor={id} className="visually-hidden">
          {t('Description of the agent')}
        </label>
        <textarea
          id={id}
          className="field"
          rows={3}
          maxLength={2_000}
          placeholder={t('A patient teacher who likes dry jokes…')}
          value={input}
          autoFocus
          aria-invalid={problem !== undefined}
          aria-describedby={`${id}-problem`}
          onChange={(event) => onInput(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && !event.shiftKey && !isComposing(event.nativeEvent) && submit(event)}
        />
        <ul className="first-run-examples" aria-label={t('Examples')}>
          {examples.map(([title, text]) => (
            <li key={title}>
              <button
                type="button"
                className="quiet-button first-run-example"
                title={text}
                onClick={() => {
                  onInput(text);
                  document.getElementById(id)?.focus();
                }}
              >
                {title}
              </button>
            </li>
          ))}
        </ul>
        <p id={`${id}-problem`} className="first-run-problem" role="alert">
          {problem}
        </p>
        <div className="first-run-buttons">
          {onCancel && (
            <button type="button" className="button bare" onClick={onCancel}>
              {t('Cancel')}
            </button>
          )}
          {onSkip && (
            <button type="button" className="button bare" disabled={isBusy} onClick={onSkip}>
              {t('Skip for now')}
            </button>
          )}
          <button type="submit" className="button primary" disabled={isEmpty || isBusy}>
            {problem === undefined ? t('Save') : t('Try again')}
          </button>
        </div>
      </form>
    </>
  );
}
