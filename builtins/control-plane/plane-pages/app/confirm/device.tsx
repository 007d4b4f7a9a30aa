// Renders the page that signs in a service that has no browser: looks up an entered code, shows the requesting machine, and approves or denies the sign-in.
import { formatTime } from '#page/kit/page/format.ts';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useState } from 'react';
import { call, type ReplyOf } from '../base/plane.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import { GateCard } from '../gate/gate-card.tsx';
import { GateForm } from '../gate/gate-form.tsx';
import { useSignedIn } from '../gate/use-signed-in.ts';
import { OrgChoice } from './org-choice.tsx';

type DeviceRequest = ReplyOf<'POST /api/device/look'> & { readonly userCode: string };
type Outcome = 'approved' | 'denied';

export function Device() {
  const me = useSignedIn();
  const [request, setRequest] = useState<DeviceRequest>();
  const [outcome, setOutcome] = useState<Outcome>();
  if (!me) return <GateCard title="Sign in a device" />;
  if (outcome !== undefined) return <Done outcome={outcome} />;
  return request ? <Confirm request={request} onDone={setOutcome} onBack={() => setRequest(undefined)} /> : <CodeForm onFound={setRequest} />;
}

function CodeForm({ onFound }: { readonly onFound: (request: DeviceRequest) => void }) {
  const [code, setCode] = useState(() => tidyCode(new URLSearchParams(location.search).get('code') ?? ''));
  const form = useSentForm(async () => ({ ...(await call('POST /api/device/look', { body: { userCode: code } })), userCode: code }), onFound);
  return (
    <GateCard title="Sign in a device" intro="Enter the code that app login shows on the other machine.">
      <GateForm form={form} isIncomplete={code.replace('-', '').length < 8} label="Continue" busyLabel="Checking…">
        <TextField
          label="Code"
          className="field gate-code"
          hint="8 letters, valid for 10 minutes."
          autoComplete="one-time-code"
          placeholder="XXXX-XXXX"
          value={code}
          onChange={(text) => setCode(tidyCode(text))}
          autoFocus
        />
      </GateForm>
      <a className="button" href="/">
        Go to the dashboard
      </a>
    </GateCard>
  );
}

interface ConfirmProps {
  readonly request: DeviceRequest;
  readonly onDone: (outcome: Outcome) => void;
  readonly onBack: () => void;
}

function Confirm({ request, onDone, onBack }: ConfirmProps) {
  const { userCode, email, organisations, device, peer, madeAt } = request;
  const [orgId, setOrgId] = useState(request.orgId);
  const deny = useAct();
  const form = useSentForm(
    () => call('POST /api/device/approve', { body: { userCode, orgId } }),
    () => onDone('approved'),
  );
  const refuse = async (): Promise<void> => {
    if (await deny.run(() => call('POST /api/device/deny', { body: { userCode } }))) onDone('denied');
    else onBack();
  };
  return (
    <GateCard title="Sign in this device?" intro="Continue only if you started this sign-in yourself. The device will act as you.">
      <dl className="gate-facts">
        <div>
          <dt>Device</dt>
          <dd>{device ?? 'Unnamed device'}</dd>
        </div>
        <div>
          <dt>Requested from</dt>
          <dd>
            {peer}, {formatTime(madeAt)}
          </dd>
        </div>
        <div>
          <dt>Signs in as</dt>
          <dd>{email}</dd>
        </div>
        <div>
          <dt>Code</dt>
          <dd>{tidyCode(userCode)}</dd>
        </div>
      </dl>
      <GateForm form={form} label="Sign in the device" busyLabel="Signing in…">
        <OrgChoice organisations={organisations} value={orgId} onChange={setOrgId} />
      </GateForm>
      <button type="button" className="button danger" disabled={deny.isBusy || form.isBusy} onClick={() => void refuse()}>
        Deny
      </button>
    </GateCard>
  );
}

function Done({ outcome }: { readonly outcome: Outcome }) {
  return (
    <GateCard
      title={outcome === 'approved' ? 'The device is signed in' : 'The sign-in was denied'}
      intro={
        outcome === 'approved'
          ? 'The device continues within seconds. You can close this page.'
          : 'The device does not receive a license. You can close this page.'
      }
    >
      <a className="button" href="/#/account">
        Show signed-in devices
      </a>
    </GateCard>
  );
}

/** Formats a code in capital letters with a dash in the middle. */
function tidyCode(typed: string): string {
  const letters = typed
    .replace(/[^a-z]/gi, '')
    .toUpperCase()
    .slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}
