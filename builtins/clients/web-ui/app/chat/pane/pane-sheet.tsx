// Renders the pane as a sheet on a narrow page.
import { Dialog } from 'radix-ui';
import { useReturnFocus } from '../../kit/use-return-focus.ts';
import { PaneTabs, type PaneProps } from './pane-tabs.tsx';
import { t } from '../../kit/t.ts';
import '../../kit/modal.css';

export function PaneSheet(props: PaneProps) {
  const returnFocus = useReturnFocus();
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || props.onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-veil" />
        <Dialog.Content className="pane-sheet" aria-describedby={undefined} onCloseAutoFocus={returnFocus}>
          <Dialog.Title className="visually-hidden">{t('Side pane')}</Dialog.Title>
          <PaneTabs {...props} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
