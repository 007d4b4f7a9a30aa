// Renders the dialog for an ended session, in which the user can sign in again without losing unsaved input.
import { Modal } from '#page/kit/modal.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useEffect, useState } from 'react';
import { useMembership, type Me } from '../base/me.ts';
import { call, whenSessionEnds } from '../base/plane.ts';
import { GateForm } from '../gate/gate-form.tsx';

/** Renders nothing until the session ended. */
export function SessionEnded() {
  const [isEnded, setEnded] = useState(false);
  useEffect(() => whenSessionEnds(() => setEnded(true)), []);
  return isEnded && <SignInAgain onClose={() => setEnded(false)} />;
}

function SignInAgain({ onClose }: { readonly onClose: () => void }) {
  const { me, orgId, reload } = useMembership();
  const { email } = me.person;
  const [password, setPassword] = useState('');

  /** Closes the dialog. If another user signed in or the organisation was lost, reloads the dashboard instead. */
  async function resume(now: Me): Promise<void> {
    if (now.person.id !== me.person.id || !now.organisations.some(({ id }) => id === orgId)) return location.assign('/');
    if (now.organisation?.id !== orgId) await call('POST /api/orgs/:id/switch', { params: { id: orgId } });
    reload();
    onClose();
  }

  const form = useSentForm(
    async () => resume(await call('POST /api/account/sign-in', { body: { email, password } })),
    () => undefined,
  );
  const elsewhere = useSentForm(
    async () => resume(await call('GET /api/account/me')),
    () => undefined,
  );
  return (
    <Modal title="Sign in again" description="Your session ended. Unsaved input is preserved, and you continue on this page." onClose={onClose}>
      <div className="stack">
        <GateForm form={form} isIncomplete={password === ''} label="Sign in" busyLabel="Signing in…">
          <TextField label="E-mail" type="email" name="email" autoComplete="username" readOnly value={email} onChange={() => undefined} />
          <TextField
            label="Password"
            type="password"
            name="password"
            autoComplete="current-password"
            required
            autoFocus
            value={password}
            onChange={setPassword}
          />
        </GateForm>
        <div className="page-actions">
          <a className="button" href="/sign-in" target="_blank" rel="noreferrer">
            Use single sign-on in another tab
          </a>
          <button type="button" className="button" disabled={elsewhere.isBusy} onClick={elsewhere.submit}>
            I have signed in there
          </button>
        </div>
        {elsewhere.problem !== undefined && (
          <p className="page-form-problem small" role="alert">
            {elsewhere.problem}
          </p>
        )}
      </div>
    </Modal>
  );
}
