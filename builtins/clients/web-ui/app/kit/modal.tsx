// Renders a modal dialog with its title, its content, and a close button.
import { X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { useRef, type FormEvent, type ReactNode } from 'react';
import { HostOnly } from './host-only.tsx';
import { useReturnFocus } from './use-return-focus.ts';
import { t } from './t.ts';
import './modal.css';

interface Props {
  readonly title: string;
  readonly description?: string;
  /** Whether the title is only for screen readers and the content has no frame. */
  readonly isPlain?: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function Modal({ title, description, isPlain = false, onClose, children }: Props) {
  const returnFocus = useReturnFocus();
  const isFilled = useRef(false);

  function onInput({ target }: FormEvent): void {
    if (target instanceof Element && target.matches('form :not([type="search"])')) isFilled.current = true;
  }

  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-veil" />
        <Dialog.Content
          className="modal"
          data-plain={isPlain || undefined}
          onInput={onInput}
          onOpenAutoFocus={focusFirstField}
          onCloseAutoFocus={returnFocus}
          // A press beside the dialog must not discard a filled form.
          onPointerDownOutside={(event) => isFilled.current && event.preventDefault()}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className={isPlain ? 'visually-hidden' : 'modal-head'}>
            <Dialog.Title className="modal-title">{title}</Dialog.Title>
            {!isPlain && (
              <Dialog.Close className="button bare icon" aria-label={t('Close')}>
                <X size={18} aria-hidden />
              </Dialog.Close>
            )}
          </div>
          {description !== undefined && (
            <Dialog.Description className={isPlain ? 'visually-hidden' : 'modal-description muted'}>{description}</Dialog.Description>
          )}
          {/* Remote viewers can use only the close button. */}
          <HostOnly>{children}</HostOnly>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/**
 * Focuses the first field of the opened dialog; without a field, the first control is focused. Does not select the text of the field, which the user may
 * still be writing.
 */
function focusFirstField(event: Event): void {
  const dialog = event.currentTarget instanceof Element ? event.currentTarget : undefined;
  const field = dialog?.querySelector<HTMLInputElement | HTMLTextAreaElement>('form :is(input, textarea):enabled, [role="combobox"]');
  if (!field) return;
  event.preventDefault();
  field.focus();
  if (field.type === 'text') field.setSelectionRange(field.value.length, field.value.length);
}
