// Renders the sidebar on a phone as a drawer over the page, until the user selects an item.
import { Dialog } from 'radix-ui';
import { useEffect, useRef } from 'react';
import { useRoute } from '../../kit/hooks.ts';
import { Region } from '../../kit/region.tsx';
import { Sidebar } from './sidebar.tsx';
import { t } from '../../kit/t.ts';
import '../../kit/modal.css';

export function Drawer({ onClose }: { readonly onClose: () => void }) {
  const { page, id } = useRoute();
  const address = `${page}/${id ?? ''}`;
  const first = useRef(address);
  useEffect(() => {
    // The page itself redirects from an address without a chat to the active chat; this is not a selection by the user.
    if (first.current === 'chat/') first.current = address;
    else if (first.current !== address) onClose();
  }, [address, onClose]);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="modal-veil" />
        <Dialog.Content
          className="drawer"
          aria-describedby={undefined}
          // Focusing the search field would open the on-screen keyboard over the chats.
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement | null)?.focus();
          }}
          // Selecting the chat that is already open also closes the drawer.
          onClick={(event) => (event.target as Element).closest('a') && onClose()}
        >
          <Dialog.Title className="visually-hidden">{t('Chats and pages')}</Dialog.Title>
          <Region name={t('The list of chats')}>
            <Sidebar />
          </Region>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
