// The account: whatever plugins have to say and to offer about it.
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { Slot } from '../../points/slot.tsx';

export function AccountPage() {
  return (
    <PageFrame title="Account" intro="Optional: a license unlocks what needs a hosted service.">
      <Slot name="account" />
    </PageFrame>
  );
}
