// Renders the account page with the sections of plugins.
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { Slot } from '../../points/slot.tsx';
import { t } from '../../kit/t.ts';

export function AccountPage() {
  return (
    <PageFrame title={t('Account')}>
      <Slot name="account" />
    </PageFrame>
  );
}
