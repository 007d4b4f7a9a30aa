// Renders the overview of an organisation: its plan, the features that the plan includes, and the steps for signing in a service.
import { Check } from 'lucide-react';
import { CopyButton } from '#page/kit/copy-button.tsx';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { countOf } from '#page/kit/page/format.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { roleHints, roleTitles, tierTitles, useMembership } from '../../base/me.ts';
import { call } from '../../base/plane.ts';
import { unlocks } from './unlocks.ts';
import './overview.css';

export function Overview() {
  const { org, orgId, role, entitlements } = useMembership();
  const members = useLoaded('members', (signal) => call('GET /api/orgs/:id/members', { params: { id: orgId }, signal }));
  const has = unlocks.filter(({ id }) => entitlements.has(id));
  return (
    <PageFrame title={org.name} intro={`Your role: ${roleTitles[role].toLowerCase()}. ${roleHints[role]}`}>
      <dl className="page-card padded facts">
        <div>
          <dt>Plan</dt>
          <dd className="large">{tierTitles[org.tier]}</dd>
        </div>
        <div>
          <dt>Seats</dt>
          <dd className="large">{members.value ? `${members.value.members.length} of ${org.seats}` : countOf(org.seats, 'seat')}</dd>
        </div>
        <div>
          <dt>Address</dt>
          <dd>{location.origin}</dd>
        </div>
      </dl>
      <Connect />
      <section className="page-section" aria-labelledby="unlocks-title">
        <h2 id="unlocks-title">Features of the plan</h2>
        {has.length === 0 ? (
          <p className="muted">The plan includes only sign-in. The operator of this control plane sets the plan.</p>
        ) : (
          <ul className="page-card padded unlocks">
            {has.map(({ id, title, text }) => (
              <li key={id}>
                <Check size={16} aria-hidden />
                <span>
                  <strong>{title}</strong> <span className="muted">{text}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </section>
    </PageFrame>
  );
}

function Connect() {
  const loaded = useLoaded('key', (signal) => call('GET /api/license/key', { signal }));
  return (
    <section className="page-section" aria-labelledby="connect-title">
      <h2 id="connect-title">Sign in a service</h2>
      <WhenLoaded loaded={loaded} what="key">
        {({ fingerprint, environment }) => (
          <div className="page-card padded">
            <ol className="connect-steps">
              <li>
                Run this on the machine of the service:
                <CopiedLines text={`app login --site ${location.origin}`} />
              </li>
              <li>
                The command shows the key of this control plane. Confirm it if it is <code>{fingerprint}</code>.
              </li>
              <li>
                If that machine has no browser, the command also shows a code. Enter it at <a href="/device">{location.host}/device</a>.
              </li>
            </ol>
            <details className="page-more">
              <summary>Without a terminal on that machine</summary>
              Add these lines to the file <code>.env</code> in the service’s home folder, restart the service, and sign in on its account page.
              <CopiedLines text={environment} />
            </details>
          </div>
        )}
      </WhenLoaded>
    </section>
  );
}

function CopiedLines({ text }: { readonly text: string }) {
  return (
    <div className="connect-line">
      <code>{text}</code>
      <CopyButton text={() => text} />
    </div>
  );
}
