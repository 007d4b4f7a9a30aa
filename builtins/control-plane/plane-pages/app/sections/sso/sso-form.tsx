// Renders the settings form of the identity provider.
import { TextField } from '#page/kit/page/text-field.tsx';
import { Switch } from '#page/kit/page/switch.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import { useMembership } from '../../base/me.ts';
import { call } from '../../base/plane.ts';
import { LinesField } from '../../base/lines-field.tsx';
import '#page/kit/page/form.css';
import './sso.css';

export interface SsoFormProps {
  readonly settings: {
    readonly enabled: boolean;
    readonly issuer: string;
    readonly clientId: string;
    readonly hasSecret: boolean;
    readonly domains: readonly { readonly domain: string }[];
  };
  readonly isReadOnly: boolean;
  readonly onSaved: () => void;
  /** Called when the form becomes modified or unmodified. */
  readonly onTouched: (isTouched: boolean) => void;
}

export function SsoForm({ settings, isReadOnly, onSaved, onTouched }: SsoFormProps) {
  const { orgId } = useMembership();
  const { tell } = useShell();
  const id = useId();
  const [enabled, enable] = useState(settings.enabled);
  const [issuer, setIssuer] = useState(settings.issuer);
  const [clientId, setClientId] = useState(settings.clientId);
  const [clientSecret, setSecret] = useState('');
  const [domains, setDomains] = useState<readonly string[]>(settings.domains.map(({ domain }) => domain));
  const form = useSentForm(
    () =>
      call('PUT /api/orgs/:id/sso', {
        params: { id: orgId },
        body: { enabled, issuer: issuer.trim(), clientId: clientId.trim(), domains: [...domains], ...(clientSecret === '' ? {} : { clientSecret }) },
      }),
    () => {
      tell('Single sign-on is saved. Members who signed in through another provider must sign in again.');
      onSaved();
    },
  );
  const known = settings.domains.map(({ domain }) => domain).join('\n');
  const isTouched =
    enabled !== settings.enabled || issuer !== settings.issuer || clientId !== settings.clientId || clientSecret !== '' || domains.join('\n') !== known;
  const notifyTouched = useEffectEvent(onTouched);
  useEffect(() => notifyTouched(isTouched), [isTouched]);
  return (
    <form className="page-card padded page-form" onSubmit={form.submit}>
      <div className="sso-switch">
        <label htmlFor={id}>Members can sign in with this provider</label>
        <Switch id={id} isOn={enabled} onChange={enable} isDisabled={isReadOnly} />
      </div>
      <TextField
        label="Issuer"
        type="url"
        required
        readOnly={isReadOnly}
        placeholder="https://login.example.org"
        hint="The address whose /.well-known/openid-configuration describes the provider."
        value={issuer}
        onChange={setIssuer}
      />
      <div className="page-form-pair">
        <TextField label="Client id" required readOnly={isReadOnly} value={clientId} onChange={setClientId} />
        {!isReadOnly && (
          <TextField
            label="Client secret"
            type="password"
            hint={settings.hasSecret ? 'Leave empty to keep the current secret. It is not shown again.' : 'Optional. It is stored encrypted.'}
            value={clientSecret}
            onChange={setSecret}
          />
        )}
      </div>
      <LinesField
        label="Domains of e-mail addresses"
        hint="One per line. The sign-in page redirects e-mail addresses of these domains to the provider."
        placeholder="example.org"
        value={domains}
        isReadOnly={isReadOnly}
        onChange={setDomains}
      />
      <p className="page-form-problem small" role="alert">
        {form.problem}
      </p>
      {!isReadOnly && (
        <div>
          <button type="submit" className="button primary" disabled={form.isBusy || !isTouched || issuer.trim() === '' || clientId.trim() === ''}>
            {form.isBusy ? 'Saving…' : 'Save'}
          </button>
        </div>
      )}
    </form>
  );
}
