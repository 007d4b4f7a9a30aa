// Renders the single sign-on links between the account and the user's organisations.
import { useState } from 'react';
import { Row, Rows } from '#page/kit/page/rows.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useMembership } from '../../base/me.ts';
import { call, type ReplyOf } from '../../base/plane.ts';
import '#page/kit/page/form.css';

type Link = ReplyOf<'GET /api/sso/links'>['links'][number];

/** Renders nothing if no organisation of the user offers single sign-on. */
export function SingleSignOn() {
  const loaded = useLoaded('single sign-on', (signal) => call('GET /api/sso/links', { signal }));
  const { links = [] } = loaded.value ?? {};
  if (links.length === 0) return null;
  return (
    <section className="page-section" aria-label="Single sign-on">
      <h2>Single sign-on</h2>
      <p className="muted">After you connect your account, you can also sign in to an organisation with its identity provider.</p>
      <Rows label="Single sign-on">
        {links.map((link) => (
          <LinkRow key={link.orgId} link={link} onChanged={loaded.reload} />
        ))}
      </Rows>
    </section>
  );
}

function LinkRow({ link: { orgId, orgName, issuer, connected }, onChanged }: { readonly link: Link; readonly onChanged: () => void }) {
  const { isBusy, run } = useAct(onChanged);
  const [isOpen, setOpen] = useState(false);
  return (
    <Row
      title={orgName}
      badges={connected && <span className="badge accent">connected</span>}
      about={issuer}
      actions={
        connected ? (
          <button
            type="button"
            className="button danger"
            disabled={isBusy}
            aria-label={`Disconnect ${orgName}`}
            onClick={() => void run(() => call('DELETE /api/sso/links/:orgId', { params: { orgId } }), `${orgName} is disconnected.`)}
          >
            Disconnect
          </button>
        ) : (
          !isOpen && (
            <button type="button" className="button" aria-label={`Connect ${orgName}`} onClick={() => setOpen(true)}>
              Connect…
            </button>
          )
        )
      }
    >
      {isOpen && !connected && <ConnectForm orgId={orgId} onClosed={() => setOpen(false)} />}
    </Row>
  );
}

function ConnectForm({ orgId, onClosed }: { readonly orgId: string; readonly onClosed: () => void }) {
  const { me } = useMembership();
  const [password, setPassword] = useState('');
  const form = useSentForm(
    () => call('POST /api/sso/links', { body: { orgId, password } }),
    ({ url }) => location.assign(url),
  );
  return (
    <form className="page-form" onSubmit={form.submit}>
      {/* Identifies the account for password managers. */}
      <input type="text" name="username" autoComplete="username" value={me.person.email} readOnly hidden />
      <TextField
        label="Your password for this control plane"
        type="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={setPassword}
      />
      <p className="page-form-problem small" role="alert">
        {form.problem}
      </p>
      <div>
        <button type="submit" className="button primary" disabled={form.isBusy || password === ''}>
          {form.isBusy ? 'Redirecting…' : 'Continue to the identity provider'}
        </button>{' '}
        <button type="button" className="button" onClick={onClosed}>
          Cancel
        </button>
      </div>
    </form>
  );
}
