// Renders the page that accepts an invitation with the signed-in account.
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { roleTitles, type Me } from '../base/me.ts';
import { call, type ReplyOf } from '../base/plane.ts';
import { GateCard } from './gate-card.tsx';
import { GateForm } from './gate-form.tsx';

export type Invited = ReplyOf<'POST /api/invites/look'>;

export interface AcceptInviteProps {
  readonly invite: string;
  readonly invited: Invited;
  readonly me: Me;
}

export function AcceptInvite({ invite, invited, me }: AcceptInviteProps) {
  const form = useSentForm(
    () => call('POST /api/invites/accept', { body: { token: invite } }),
    () => location.replace('/'),
  );
  return (
    <GateCard title={`Join ${invited.organisation}`} intro={`You are invited as ${roleTitles[invited.role].toLowerCase()}.`}>
      <GateForm form={form} label={`Join as ${me.person.email}`} busyLabel="Joining…">
        {null}
      </GateForm>
      <a className="button" href="/">
        Not now
      </a>
    </GateCard>
  );
}
