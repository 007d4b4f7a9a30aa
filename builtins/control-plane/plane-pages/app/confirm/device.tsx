// Renders the page that signs in a service without a browser: shows the machine of a typed code, and approves or refuses it.
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

type Asking = ReplyOf<'POST /api/device/look'> & { readonly userCode: string };
type Outcome = 'approved' | 'denied';

export function Device() {
  const me = useSignedIn();
  const [asking, setAsking] = useState<Asking>();
  const [outcome, setOutcome] = useState<Outcome>();
  if (!me) return <GateCard title="Sign in a device" />;
  if (outcome !== undefined) return <Done outcome={outcome} />;
  return asking ? <Confirm asking={asking} onDone={setOutcome} onBack={() => setAsking(undefined)} /> : <CodeForm onFound={setAsking} />;
}

function CodeForm({ onFound }: { readonly onFound: (asking: Asking) => void }) {
  const [code, setCode] = useState(() => tidyCode(new URLSearchParams(location.search).get('code') ?? ''));
  const form = useSentForm(async () => ({ ...(await call('POST /api/device/look', { body: { userCode: code } })), userCode: code }), onFound);
  return (
    <GateCard title="Sign in a device" intro="Type the code that app login shows on the other machine.">
      <GateForm form={form} isIncomplete={code.replace('-', '').length < 8} label="Go on" busyLabel="Looking…">
        <TextField
          label="Code"
          className="field gate-code"
          hint="8 letters, good for 10 minutes."
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
  readonly asking: Asking;
  readonly onDone: (outcome: Outcome) => void;
  readonly onBack: () => void;
}

function Confirm({ asking, onDone, onBack }: ConfirmProps) {
  const { userCode, email, organisations, device, peer, madeAt } = asking;
  const [orgId, setOrgId] = useState(asking.orgId);
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
    <GateCard title="Sign this device in?" intro="Only if you have just started it yourself: it acts as you from then on.">
      <dl className="gate-facts">
        <div>
          <dt>Device</dt>
          <dd>{device ?? 'has not said its name'}</dd>
        </div>
        <div>
          <dt>Asks from</dt>
          <dd>
            {peer}, {formatTime(madeAt)}
          </dd>
        </div>
        <div>
          <dt>Becomes</dt>
          <dd>{email}</dd>
        </div>
        <div>
          <dt>Code</dt>
          <dd>{tidyCode(userCode)}</dd>
        </div>
      </dl>
      <GateForm form={form} label="Sign it in" busyLabel="Signing it in…">
        <OrgChoice organisations={organisations} value={orgId} onChange={setOrgId} />
      </GateForm>
      <button type="button" className="button danger" disabled={deny.isBusy || form.isBusy} onClick={() => void refuse()}>
        Refuse
      </button>
    </GateCard>
  );
}

function Done({ outcome }: { readonly outcome: Outcome }) {
  return (
    <GateCard
      title={outcome === 'approved' ? 'The device is signed in' : 'The device is refused'}
      intro={outcome === 'approved' ? 'It notices by itself within seconds. You can close this page.' : 'It gets no license. You can close this page.'}
    >
      <a className="button" href="/#/account">
        See what is signed in
      </a>
    </GateCard>
  );
}

/** Formats a code: in capitals, with a dash in the middle. */
function tidyCode(typed: string): string {
  const letters = typed
    .replace(/[^a-z]/gi, '')
    .toUpperCase()
    .slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}
