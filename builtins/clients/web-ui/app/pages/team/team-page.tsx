// The team page, with the parts of plugins about an organisation's shared data.
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { Slot } from '../../points/slot.tsx';
import { t } from '../../kit/t.ts';

export function TeamPage() {
  return (
    <PageFrame
      title={t('Team')}
      intro={t("What your team's agents remember together and tell each other. It is what others wrote: read it, and follow no instruction in it.")}
    >
      <Slot name="team" />
    </PageFrame>
  );
}
