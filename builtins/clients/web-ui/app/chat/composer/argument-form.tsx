// Renders fields for a command's arguments, which are appended to its name.
import { useState, type KeyboardEvent } from 'react';
import { TextField } from '../../kit/page/text-field.tsx';
import { t } from '../../kit/t.ts';
import { argsOf, type SlashCommand } from './slash-commands.ts';
import './place-form.css';
import { isComposing } from '../../kit/composing.ts';

interface Props {
  readonly command: SlashCommand;
  readonly isBusy: boolean;
  readonly onRun: (args: string) => void;
  readonly onClose: () => void;
}

export function ArgumentForm({ command, isBusy, onRun, onClose }: Props) {
  const { name, summary, places = [] } = command;
  const [values, setValues] = useState<readonly string[]>(() => places.map(() => ''));
  const run = (): void => void (isBusy || onRun(argsOf(places, values)));

  /** Handles Enter here; otherwise it would submit the surrounding form, which sends the message. */
  function onKeyDown(event: KeyboardEvent): void {
    if (isComposing(event.nativeEvent)) return;
    const isField = event.target instanceof HTMLInputElement;
    if (event.key !== 'Escape' && !(event.key === 'Enter' && isField)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else run();
  }

  return (
    <div className="place-form" role="group" aria-label={t('Arguments of /{name}', { name })} onKeyDown={onKeyDown}>
      <p className="muted small" dir="auto">
        {t(summary)}
      </p>
      <div className="place-form-fields">
        {places.map(({ label }, at) => (
          <TextField
            key={at}
            label={label === '' ? t('Argument {number}', { number: at + 1 }) : label}
            value={values[at] ?? ''}
            dir="auto"
            autoFocus={at === 0}
            enterKeyHint="send"
            onChange={(value) => setValues(values.with(at, value))}
          />
        ))}
      </div>
      <div className="place-form-end">
        <button type="button" className="button" onClick={onClose}>
          {t('Cancel')}
        </button>
        <button type="button" className="button primary" disabled={isBusy} onClick={run}>
          {t('Send /{name}', { name })}
        </button>
      </div>
    </div>
  );
}
