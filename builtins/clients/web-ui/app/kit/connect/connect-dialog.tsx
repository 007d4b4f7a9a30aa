// Renders the dialog for connecting a model; available from every page.
import { Modal } from '../modal.tsx';
import { ConnectModel } from './connect-model.tsx';
import { t } from '../t.ts';

export function ConnectDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal title={t('Connect a model')} description={t("A key is tested at once and kept in the server's memory only.")} onClose={onClose}>
      <ConnectModel />
    </Modal>
  );
}
