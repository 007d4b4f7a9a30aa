// Renders the overview of an organisation: its unlocked functions, and how a member's service gets them.
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
        <h2 id="unlocks-title">What the plan unlocks</h2>
        {has.length === 0 ? (
          <p className="muted">Only sign-in. The operator of this control plane sets the plan.</p>
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
      <h2 id="connect-title">Sign a service in</h2>
      <WhenLoaded loaded={loaded} what="key">
        {({ fingerprint, environment }) => (
          <div className="page-card padded">
            <ol className="connect-steps">
              <li>
                Run this on the machine of the service:
                <CopiedLines text={`app login --site ${location.origin}`} />
              </li>
              <li>
                It shows the key of this control plane. Say yes if it is <code>{fingerprint}</code>.
              </li>
              <li>
                Without a browser on that machine it shows a code, too: type it in at <a href="/device">{location.host}/device</a>.
              </li>
            </ol>
            <details className="page-more">
              <summary>Without a terminal there</summary>
              Put these lines into the file <code>.env</code> of the service’s home folder, start it again, and sign in on its account page.
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
