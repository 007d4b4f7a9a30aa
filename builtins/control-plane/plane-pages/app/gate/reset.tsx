// Renders the pages that request a password reset link by e-mail, and that set a new password with that link.
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useState } from 'react';
import { call } from '../base/plane.ts';
import { GateCard } from './gate-card.tsx';
import { GateForm } from './gate-form.tsx';
import { minPassword, NewPassword } from './new-password.tsx';

export function Reset() {
  const token = new URLSearchParams(location.search).get('token') ?? '';
  return token === '' ? <AskForLink /> : <NewPasswordForm token={token} />;
}

function AskForLink() {
  const [email, setEmail] = useState('');
  const [isAsked, setAsked] = useState(false);
  const form = useSentForm(
    () => call('POST /api/account/reset/begin', { body: { email: email.trim() } }),
    () => setAsked(true),
  );
  if (isAsked)
    return (
      <GateCard
        title="Check your e-mail"
        intro="If an account with this address exists and this control plane can send mail, you receive a link. It is valid for one hour."
      >
        <p className="muted small">No e-mail? The operator of this control plane can create a link for you.</p>
        <a className="button" href="/sign-in">
          Back to sign-in
        </a>
      </GateCard>
    );
  return (
    <GateCard title="Forgot your password?" intro="You receive an e-mail with a link to choose a new password.">
      <GateForm form={form} isIncomplete={email.trim() === ''} label="Send the link" busyLabel="Sending…">
        <TextField label="E-mail" type="email" name="email" autoComplete="username" required value={email} onChange={setEmail} autoFocus />
      </GateForm>
      <a className="button" href="/sign-in">
        Back to sign-in
      </a>
    </GateCard>
  );
}

function NewPasswordForm({ token }: { readonly token: string }) {
  const [password, setPassword] = useState('');
  const form = useSentForm(
    () => call('POST /api/account/reset', { body: { token, password } }),
    () => location.replace('/sign-in'),
  );
  return (
    <GateCard title="Choose a new password" intro="You will be signed out on all browsers and devices.">
      <GateForm form={form} isIncomplete={password.length < minPassword} label="Set the password" busyLabel="Setting…">
        <NewPassword label="New password" value={password} onChange={setPassword} autoFocus />
      </GateForm>
    </GateCard>
  );
}
