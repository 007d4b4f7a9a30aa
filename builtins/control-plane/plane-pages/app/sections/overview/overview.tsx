// What this organisation has, and how a service of a member gets to it.
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
          <p className="muted">Nothing beyond signing in. Whoever runs this control plane sets the plan.</p>
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
  const key = useLoaded('key', (signal) => call('GET /api/license/key', { signal }));
  return (
    <section className="page-section" aria-labelledby="connect-title">
      <h2 id="connect-title">Sign a service in</h2>
      <ol className="page-card padded connect-steps">
        <li>
          Tell the server on your machine where its control plane is, and by which key it knows licenses of it: put these lines into the file <code>.env</code>{' '}
          of its home folder, and start it again.
          <WhenLoaded loaded={key} what="key">
            {({ publicKey }) => <EnvironmentLines publicKey={publicKey} />}
          </WhenLoaded>
        </li>
        <li>
          Run <code>app login</code> there, or sign in on its account page. On a machine without a browser it shows a code, which you type in at{' '}
          <a href="/device">{location.host}/device</a>.
        </li>
      </ol>
    </section>
  );
}

function EnvironmentLines({ publicKey }: { readonly publicKey: string }) {
  // A line break within a value of such a file is written as \n, between quotes.
  const lines = [`AGENT_HUB_SITE_URL=${location.origin}`, `AGENT_LICENSE_PUBLIC_KEY="${publicKey.trim().replaceAll('\n', '\\n')}"`].join('\n');
  return (
    <div className="connect-line">
      <code>{lines}</code>
      <CopyButton text={() => lines} />
    </div>
  );
}
