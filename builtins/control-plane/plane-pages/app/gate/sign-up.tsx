// Renders the page that creates an account: the first one, or one with an invitation. A signed-in user only accepts the invitation.
import { TextField } from '#page/kit/page/text-field.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useState } from 'react';
import { roleTitles, type Me } from '../base/me.ts';
import { call } from '../base/plane.ts';
import { AcceptInvite, type Invited } from './accept-invite.tsx';
import { GateCard } from './gate-card.tsx';
import { GateForm } from './gate-form.tsx';
import { minPassword, NewPassword } from './new-password.tsx';
import { useVisitor } from './use-visitor.ts';

export function SignUp() {
  const search = new URLSearchParams(location.search);
  const invite = search.get('invite') ?? undefined;
  const setup = search.get('setup') ?? undefined;
  const visitor = useVisitor();
  const invited = useLoaded(invite, (signal) => call('POST /api/invites/look', { body: { token: invite ?? '' }, signal }));
  if (invite !== undefined && invited.problem !== undefined)
    return (
      <GateCard title="This invitation is not valid" intro={invited.problem}>
        <p className="muted small">An invitation can be used once, within a week. Ask the sender for a new one.</p>
        <a className="button" href={visitor ? '/' : '/sign-in'}>
          {visitor ? 'Go to the dashboard' : 'Sign in'}
        </a>
      </GateCard>
    );
  if (visitor === undefined || (invite !== undefined && !invited.value)) return <GateCard title="Welcome" />;
  if (visitor && invite !== undefined && invited.value) return <AcceptInvite invite={invite} invited={invited.value} me={visitor} />;
  return <SignUpForm invite={invite} invited={invited.value} setup={setup} visitor={visitor} />;
}

interface SignUpFormProps {
  readonly invite: string | undefined;
  readonly invited: Invited | undefined;
  readonly setup: string | undefined;
  readonly visitor: Me | null;
}

function SignUpForm({ invite, invited, setup, visitor }: SignUpFormProps) {
  const [email, setEmail] = useState(invited?.email ?? '');
  const [password, setPassword] = useState('');
  const [orgName, setOrgName] = useState('');
  const form = useSentForm(
    () =>
      call('POST /api/account/sign-up', {
        body: {
          email: email.trim(),
          password,
          ...(invite === undefined ? { orgName: orgName.trim() } : { invite }),
          ...(setup === undefined ? {} : { setup }),
        },
      }),
    () => location.replace('/'),
  );
  const isSetUp = setup !== undefined;
  const title = invited ? `Join ${invited.organisation}` : isSetUp ? 'Set up this control plane' : 'Sign up';
  const intro = invited
    ? `You are invited as ${roleTitles[invited.role].toLowerCase()}.`
    : isSetUp
      ? 'Create the first account. It becomes the owner.'
      : 'Create an account and an organisation.';
  return (
    <GateCard title={title} intro={intro}>
      {visitor && (
        <p className="page-notice">
          <span>
            You are signed in as {visitor.person.email}. <a href="/">Go to the dashboard</a>
          </span>
        </p>
      )}
      <GateForm
        form={form}
        isIncomplete={email.trim() === '' || password.length < minPassword || (invite === undefined && orgName.trim() === '')}
        label={invited ? 'Join' : 'Create account'}
        busyLabel="Creating account…"
      >
        {invite === undefined && (
          <TextField
            label="Organisation"
            name="organization"
            autoComplete="organization"
            required
            maxLength={100}
            value={orgName}
            onChange={setOrgName}
            autoFocus
          />
        )}
        <TextField
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          readOnly={invited?.email !== undefined}
          onChange={setEmail}
        />
        <NewPassword label="Password" value={password} onChange={setPassword} />
      </GateForm>
      <p className="muted small">
        Already have an account? <a href={invite === undefined ? '/sign-in' : `/sign-in?${new URLSearchParams({ invite }).toString()}`}>Sign in</a>
      </p>
    </GateCard>
  );
}
