// Renders the page that signs in a service on this machine: submits the license as a form to a loopback address only.
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
  const loaded = useLoaded(me && 'asking', (signal) => call('GET /api/connect/harness', { query, signal }));
  if (loaded.problem !== undefined)
    return (
      <GateCard title="This sign-in cannot go on" intro="Begin it again on the account page of the server, or with app login.">
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
  return <Confirm asking={loaded.value} query={query} />;
}

interface ConfirmProps {
  readonly asking: ReplyOf<'GET /api/connect/harness'>;
  readonly query: { readonly state: string; readonly redirectUri: string };
}

function Confirm({ asking, query }: ConfirmProps) {
  const { email, organisations, target } = asking;
  const [orgId, setOrgId] = useState(asking.orgId);
  const form = useSentForm(
    () => call('POST /api/connect/harness', { body: { ...query, orgId } }),
    ({ action, fields }) => postForm(action, fields),
  );
  return (
    <GateCard title="Sign this service in?" intro="A server on this machine wants to use the control plane as you. Go on only if you have just asked it to.">
      <dl className="gate-facts">
        <div>
          <dt>Service</dt>
          <dd>{target}</dd>
        </div>
        <div>
          <dt>Becomes</dt>
          <dd>{email}</dd>
        </div>
      </dl>
      <GateForm form={form} label="Sign it in" busyLabel="Signing it in…">
        <OrgChoice organisations={organisations} value={orgId} onChange={setOrgId} />
      </GateForm>
      <a className="button" href="/">
        Not now
      </a>
    </GateCard>
  );
}
