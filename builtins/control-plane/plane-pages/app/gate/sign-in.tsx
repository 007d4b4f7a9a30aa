// Renders the sign-in page: with a password, or through an organisation's identity provider.
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useState } from 'react';
import { call, nextAddress } from '../base/plane.ts';
import { GateCard } from './gate-card.tsx';
import { GateForm } from './gate-form.tsx';
import { goToProvider } from './sso.ts';

export function SignIn() {
  const next = nextAddress(location.search);
  const invite = new URLSearchParams(location.search).get('invite') ?? undefined;
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const form = useSentForm(
    () => call('POST /api/account/sign-in', { body: { email: email.trim(), password, ...(invite === undefined ? {} : { invite }) } }),
    () => location.replace(next),
  );
  const [isSso, chooseSso] = useState(false);
  const sso = useSentForm(
    () => goToProvider(email.trim(), next),
    () => undefined,
  );
  const emailField = <TextField label="E-mail" type="email" name="email" autoComplete="username" required value={email} onChange={setEmail} autoFocus />;
  const isForService = next.startsWith('/device') || next.startsWith('/connect');
  return (
    <GateCard title="Sign in" {...(isForService ? { intro: 'After signing in, you confirm the device or service that requests access.' } : {})}>
      {isSso ? (
        <GateForm key="sso" form={sso} isIncomplete={email.trim() === ''} label="Continue to your organisation" busyLabel="Checking…">
          {emailField}
        </GateForm>
      ) : (
        <GateForm key="password" form={form} isIncomplete={email.trim() === '' || password === ''} label="Sign in" busyLabel="Signing in…">
          {emailField}
          <TextField label="Password" type="password" name="password" autoComplete="current-password" required value={password} onChange={setPassword} />
        </GateForm>
      )}
      <button type="button" className="button" onClick={() => chooseSso(!isSso)}>
        {isSso ? 'Use a password' : 'Use single sign-on'}
      </button>
      <p className="muted small">
        <a href="/reset">Forgot your password?</a> No account? You need an invitation link.
      </p>
    </GateCard>
  );
}
