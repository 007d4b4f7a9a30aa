// Renders the single sign-on page: the organisation's identity provider, and the e-mail domains of its members.
import { CopyButton } from '#page/kit/copy-button.tsx';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useState } from 'react';
import { useMembership } from '../../base/me.ts';
import { call, type ReplyOf } from '../../base/plane.ts';
import { Row, Rows } from '#page/kit/page/rows.tsx';
import { ProviderActions } from './provider-actions.tsx';
import { SsoForm } from './sso-form.tsx';

export type SsoSettings = ReplyOf<'GET /api/orgs/:id/sso'>;

export function Sso() {
  const { orgId, role } = useMembership();
  const [isTouched, touch] = useState(false);
  const loaded = useLoaded('sso', (signal) => call('GET /api/orgs/:id/sso', { params: { id: orgId }, signal }));
  return (
    <PageFrame title="Single sign-on" intro="Members sign in with accounts of the organisation through OpenID Connect." isBusy={loaded.isLoading}>
      <WhenLoaded loaded={loaded} what="single sign-on">
        {(settings) => (
          <>
            <Rows label="Addresses">
              <AddressRow title="Callback" text={settings.redirectUri} about="Register it at the identity provider." />
              {settings.enabled && (
                <AddressRow title="Sign-in" text={settings.signInUrl} about="Members sign in here, or with their e-mail address on the sign-in page." />
              )}
            </Rows>
            <section className="page-section" aria-labelledby="provider-title">
              <h2 id="provider-title">Identity provider</h2>
              <SsoForm key={JSON.stringify(settings)} settings={settings} isReadOnly={role !== 'owner'} onSaved={loaded.reload} onTouched={touch} />
              {role === 'owner' && settings.issuer !== '' && <ProviderActions isTouched={isTouched} isOn={settings.enabled} onRemoved={loaded.reload} />}
            </section>
            {settings.domains.length > 0 && (
              <section className="page-section" aria-labelledby="domains-title">
                <h2 id="domains-title">Domains</h2>
                <Rows label="Domains">
                  {settings.domains.map(({ domain, proven }) => (
                    <Row
                      key={domain}
                      title={domain}
                      badges={<span className={`badge ${proven ? 'good' : 'warn'}`}>{proven ? 'verified' : 'not verified'}</span>}
                      about={
                        proven
                          ? 'People with a verified address of this domain join automatically.'
                          : 'The operator of this control plane verifies the domain. Until then, people need an invitation to join.'
                      }
                    />
                  ))}
                </Rows>
              </section>
            )}
          </>
        )}
      </WhenLoaded>
    </PageFrame>
  );
}

function AddressRow({ title, text, about }: { readonly title: string; readonly text: string; readonly about: string }) {
  return (
    <Row
      title={title}
      about={
        <>
          <code>{text}</code>
          <br />
          {about}
        </>
      }
      actions={<CopyButton text={() => text} label={`Copy ${title.toLowerCase()} address`} />}
    />
  );
}
