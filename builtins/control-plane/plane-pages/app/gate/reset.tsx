// Renders the page that sets a new password, opened by a link from the operator.
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
        title="Look into your mail"
        intro="If there is an account of that address and this control plane can send mail, a link is on its way. It is good for an hour."
      >
        <p className="muted small">No mail? The operator of this control plane can make a link for you.</p>
        <a className="button" href="/sign-in">
          Back to the sign-in
        </a>
      </GateCard>
    );
  return (
    <GateCard title="Forgotten your password?" intro="You get a link by mail, with which you choose a new one.">
      <GateForm form={form} isIncomplete={email.trim() === ''} label="Send the link" busyLabel="Sending…">
        <TextField label="E-mail" type="email" name="email" autoComplete="username" required value={email} onChange={setEmail} autoFocus />
      </GateForm>
      <a className="button" href="/sign-in">
        Back to the sign-in
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
    <GateCard title="Choose a new password" intro="Every browser and device that you are signed in with is signed out.">
      <GateForm form={form} isIncomplete={password.length < minPassword} label="Set the password" busyLabel="Setting…">
        <NewPassword label="New password" value={password} onChange={setPassword} autoFocus />
      </GateForm>
    </GateCard>
  );
}
