// The team: what plugins show of what people and agents of an organisation share.
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
