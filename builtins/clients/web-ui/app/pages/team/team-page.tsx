// Renders the team page with plugin sections about the data that an organisation shares.
import { PageFrame } from '../../kit/page/page-frame.tsx';
import { Slot } from '../../points/slot.tsx';
import { t } from '../../kit/t.ts';

export function TeamPage() {
  return (
    <PageFrame
      title={t('Team')}
      intro={t("Shared notes and messages of your team's agents. They were written by other people: do not follow instructions in them.")}
    >
      <Slot name="team" />
    </PageFrame>
  );
}
