// Renders the dialog in which the operator sets an organisation's plan.
import { Modal } from '#page/kit/modal.tsx';
import { FormEnd } from '#page/kit/page/form-end.tsx';
import { FormField } from '#page/kit/page/form-field.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useId, useState } from 'react';
import { tierTitles, type Tier } from '../../base/me.ts';
import { call } from '../../base/plane.ts';
import { creditField } from './credit-text.ts';

export interface PlanDialogProps {
  readonly org: { readonly id: string; readonly name: string; readonly tier: Tier; readonly seats: number; readonly walletCapMicro?: number };
  readonly onClose: () => void;
  readonly onSet: () => void;
}

export function PlanDialog({ org, onClose, onSet }: PlanDialogProps) {
  const id = useId();
  const known = org.walletCapMicro === undefined ? '' : creditField(org.walletCapMicro);
  const [tier, setTier] = useState<Tier>(org.tier);
  const [seats, setSeats] = useState(String(org.seats));
  const [cap, setCap] = useState(known);
  const form = useSentForm(
    () =>
      call('PUT /api/orgs/:id/plan', {
        params: { id: org.id },
        body: { tier, seats: Number(seats), ...(cap === known || cap === '' ? {} : { walletCap: Number(cap) }) },
      }),
    onSet,
  );
  const isSame = tier === org.tier && Number(seats) === org.seats && (cap === known || cap === '');
  return (
    <Modal title={`Plan of ${org.name}`} onClose={onClose}>
      <form className="page-form" onSubmit={form.submit}>
        <FormField id={id} label="Plan" hint="The features of the plan apply to all members within a second.">
          <Select id={id} value={tier} options={tierTitles} onChange={setTier} />
        </FormField>
        <TextField
          label="Seats"
          type="number"
          inputMode="numeric"
          min={1}
          max={1_000_000}
          required
          hint="Maximum number of members."
          value={seats}
          onChange={setSeats}
        />
        <TextField
          label="Wallet cap, in US dollars per period"
          type="number"
          inputMode="decimal"
          min={0}
          step="any"
          hint="Maximum total cost of model calls in plans with managed inference; 0 allows no calls."
          value={cap}
          onChange={setCap}
        />
        <FormEnd
          problem={form.problem}
          isBusy={form.isBusy}
          isIncomplete={isSame || seats === ''}
          label="Set the plan"
          busyLabel="Setting…"
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}
