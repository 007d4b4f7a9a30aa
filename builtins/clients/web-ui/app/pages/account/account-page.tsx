// The account: whatever plugins have to say and to offer about it.
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
