// Renders the form for editing a message and sending it again in a new branch. The form initially contains the message's text.
import { useEffect, useId, type KeyboardEvent } from 'react';
import { useAutoGrow } from '../../../kit/use-auto-grow.ts';
import { hasTouchKeyboard } from '../../../kit/touch-keyboard.ts';
import { t } from '../../../kit/t.ts';
import { isComposing } from '../../../kit/composing.ts';

interface EditMessageProps {
  readonly text: string;
  readonly isBusy: boolean;
  /** Whether the form was opened by the user just now, so that it takes the focus. */
  readonly isNew: boolean;
  /** Whether the message can be sent; while a turn is running it cannot. */
  readonly isReady: boolean;
  readonly onText: (text: string) => void;
  readonly onCancel: () => void;
  readonly onSend: () => void;
}

export function EditMessage({ text, isBusy, isNew, isReady, onText, onCancel, onSend }: EditMessageProps) {
  const field = useAutoGrow(text);
  const id = useId();
  useEffect(() => {
    const element = field.current;
    if (!isNew) return;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [field, isNew]);
  const canSend = text.trim() !== '' && isReady && !isBusy;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      onCancel();
    }
    if (event.key !== 'Enter' || event.shiftKey || hasTouchKeyboard()) return;
    event.preventDefault();
    if (canSend) onSend();
  };
  return (
    <div className="edit-message" role="group" aria-label={t('Edit the message')}>
      <textarea
        ref={field}
        className="field"
        aria-label={t('Edited message')}
        aria-describedby={id}
        rows={2}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <p id={id} className="muted small">
        {t('Continues from here in a new branch; you can switch back to the earlier one. Changed files stay as they are.')}
      </p>
      <p className="edit-message-buttons">
        <button type="button" className="button" onClick={onCancel}>
          {t('Cancel')}
        </button>
        <button type="button" className="button primary" disabled={!canSend} onClick={onSend}>
          {isBusy ? t('Sending…') : t('Send again')}
        </button>
      </p>
    </div>
  );
}
