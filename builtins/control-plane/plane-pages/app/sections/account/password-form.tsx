// Renders the form for changing the password.
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { useState } from 'react';
import { useMembership } from '../../base/me.ts';
import { call } from '../../base/plane.ts';
import { minPassword, NewPassword } from '../../gate/new-password.tsx';
import '#page/kit/page/form.css';

export function PasswordForm({ onChanged }: { readonly onChanged: () => void }) {
  const [isDone, setDone] = useState(0);
  const { tell } = useShell();
  return (
    <section className="page-section" aria-labelledby="password-title">
      <h2 id="password-title">Password</h2>
      <Form
        key={isDone}
        onSent={() => {
          tell('The password is changed. You are signed out everywhere else.');
          setDone(isDone + 1);
          onChanged();
        }}
      />
    </section>
  );
}

function Form({ onSent }: { readonly onSent: () => void }) {
  const { me } = useMembership();
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const form = useSentForm(() => call('POST /api/account/password', { body: { current, password } }), onSent);
  return (
    <form className="page-card padded page-form" onSubmit={form.submit}>
      {/* Identifies the account for password managers. */}
      <input type="text" name="username" autoComplete="username" value={me.person.email} readOnly hidden />
      <div className="page-form-pair">
        <TextField label="Current password" type="password" autoComplete="current-password" required value={current} onChange={setCurrent} />
        <NewPassword label="New password" value={password} onChange={setPassword} />
      </div>
      <p className="page-form-problem small" role="alert">
        {form.problem}
      </p>
      <div>
        <button type="submit" className="button" disabled={form.isBusy || current === '' || password.length < minPassword}>
          {form.isBusy ? 'Changing…' : 'Change the password'}
        </button>
      </div>
    </form>
  );
}
