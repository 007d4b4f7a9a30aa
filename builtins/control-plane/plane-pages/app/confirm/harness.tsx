// Renders the page that signs in a service on this machine. Submits the license as a form, only to a loopback address.
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { Loading, Problem } from '#page/kit/page/when-loaded.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useState } from 'react';
import { call, type ReplyOf } from '../base/plane.ts';
import { GateCard } from '../gate/gate-card.tsx';
import { GateForm } from '../gate/gate-form.tsx';
import { useSignedIn } from '../gate/use-signed-in.ts';
import { OrgChoice } from './org-choice.tsx';
import { postForm } from './post-form.ts';

export function ConnectHarness() {
  const me = useSignedIn();
  const search = new URLSearchParams(location.search);
  const query = { state: search.get('state') ?? '', redirectUri: search.get('redirect_uri') ?? '' };
  const loaded = useLoaded(me && 'request', (signal) => call('GET /api/connect/harness', { query, signal }));
  if (loaded.problem !== undefined)
    return (
      <GateCard title="The sign-in cannot continue" intro="Start again on the account page of the server, or with app login.">
        <Problem title="" text={loaded.problem} />
        <a className="button" href="/">
          Go to the dashboard
        </a>
      </GateCard>
    );
  if (!loaded.value)
    return (
      <GateCard title="Sign in a service">
        <Loading what="request" />
      </GateCard>
    );
  return <Confirm request={loaded.value} query={query} />;
}

interface ConfirmProps {
  readonly request: ReplyOf<'GET /api/connect/harness'>;
  readonly query: { readonly state: string; readonly redirectUri: string };
}

function Confirm({ request, query }: ConfirmProps) {
  const { email, organisations, target } = request;
  const [orgId, setOrgId] = useState(request.orgId);
  const form = useSentForm(
    () => call('POST /api/connect/harness', { body: { ...query, orgId } }),
    ({ action, fields }) => postForm(action, fields),
  );
  return (
    <GateCard
      title="Sign in this service?"
      intro="A server on this machine requests access to the control plane as you. Continue only if you started this sign-in yourself."
    >
      <dl className="gate-facts">
        <div>
          <dt>Service</dt>
          <dd>{target}</dd>
        </div>
        <div>
          <dt>Signs in as</dt>
          <dd>{email}</dd>
        </div>
      </dl>
      <GateForm form={form} label="Sign in the service" busyLabel="Signing in…">
        <OrgChoice organisations={organisations} value={orgId} onChange={setOrgId} />
      </GateForm>
      <a className="button" href="/">
        Not now
      </a>
    </GateCard>
  );
}
