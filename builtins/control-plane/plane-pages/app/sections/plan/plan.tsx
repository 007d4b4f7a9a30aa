// The plan: tier and seats; whoever runs the control plane sets them.
import { FormField } from '#page/kit/page/form-field.tsx';
import { PageFrame } from '#page/kit/page/page-frame.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { useId, useState } from 'react';
import { isAtLeast, tierTitles, useMembership, type Tier } from '../../base/me.ts';
import { call } from '../../base/plane.ts';
import { Receipts } from './receipts.tsx';
import { Wallet } from './wallet.tsx';
import '#page/kit/page/form.css';

export function Plan() {
  const { org, role, entitlements } = useMembership();
  const [version, setVersion] = useState(0);
  const maySet = org.operates && role === 'owner';
  return (
    <PageFrame title="Plan and wallet" intro={maySet ? undefined : 'Whoever runs this control plane sets plan and cap.'}>
      {maySet ? (
        <PlanForm key={`${org.tier} ${org.seats} ${version}`} onSet={() => setVersion((count) => count + 1)} />
      ) : (
        <dl className="page-card padded facts">
          <div>
            <dt>Plan</dt>
            <dd className="large">{tierTitles[org.tier]}</dd>
          </div>
          <div>
            <dt>Seats</dt>
            <dd className="large">{org.seats}</dd>
          </div>
        </dl>
      )}
      {isAtLeast(role, 'member') && entitlements.has('pro.managed_inference') && (
        <>
          <Wallet version={`${org.tier} ${version}`} />
          <Receipts />
        </>
      )}
    </PageFrame>
  );
}

function PlanForm({ onSet }: { readonly onSet: () => void }) {
  const { org, orgId, reload } = useMembership();
  const { tell } = useShell();
  const id = useId();
  const [tier, setTier] = useState<Tier>(org.tier);
  const [seats, setSeats] = useState(String(org.seats));
  const [cap, setCap] = useState('');
  const form = useSentForm(
    () => call('PUT /api/orgs/:id/plan', { params: { id: orgId }, body: { tier, seats: Number(seats), ...(cap === '' ? {} : { walletCap: Number(cap) }) } }),
    () => {
      tell('The plan is set. Services know within a second.');
      reload();
      onSet();
    },
  );
  const isSame = tier === org.tier && Number(seats) === org.seats && cap === '';
  return (
    <form className="page-card padded page-form" onSubmit={form.submit}>
      <div className="page-form-pair">
        <FormField id={id} label="Plan">
          <Select id={id} value={tier} options={tierTitles} onChange={setTier} />
        </FormField>
        <TextField label="Seats" type="number" inputMode="numeric" min={1} max={1_000_000} required value={seats} onChange={setSeats} />
        <TextField
          label="Cap of the wallet, in credits"
          type="number"
          inputMode="decimal"
          min={0}
          step="any"
          hint="1 credit is 1 US dollar. Left empty, it stays as it is."
          value={cap}
          onChange={setCap}
        />
      </div>
      <p className="page-form-problem small" role="alert">
        {form.problem}
      </p>
      <div>
        <button type="submit" className="button primary" disabled={form.isBusy || isSame || seats === ''}>
          {form.isBusy ? 'Setting…' : 'Set the plan'}
        </button>
      </div>
    </form>
  );
}
