// Renders the dialog that sets the wallet cap of a member.
import { Modal } from '#page/kit/modal.tsx';
import { FormEnd } from '#page/kit/page/form-end.tsx';
import { FormField } from '#page/kit/page/form-field.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { useId, useState } from 'react';
import { useMembership } from '../../base/me.ts';
import { call, type ReplyOf } from '../../base/plane.ts';
import { creditField, microPerCredit } from './credit-text.ts';

export type Share = ReplyOf<'GET /api/inference/wallet/members'>['members'][number];

export interface ShareDialogProps {
  /** Member whose cap is changed; an empty string lets the user choose a member that has no cap. */
  readonly userId: string;
  readonly shares: readonly Share[];
  readonly onClose: () => void;
  readonly onSet: () => void;
}

export function ShareDialog(props: ShareDialogProps) {
  const { orgId } = useMembership();
  const loaded = useLoaded('members', (signal) => call('GET /api/orgs/:id/members', { params: { id: orgId }, signal }));
  const { userId, shares, onClose } = props;
  return (
    <Modal title="Cap of a member" onClose={onClose}>
      <WhenLoaded loaded={loaded} what="members">
        {({ members }) => {
          const offered = members.filter(({ id, role }) => (userId === '' ? role !== 'viewer' && !shares.some((one) => one.userId === id) : id === userId));
          return offered.length === 0 ? (
            <p className="muted">Every member with access to the wallet already has a cap.</p>
          ) : (
            <ShareForm {...props} offered={Object.fromEntries(offered.map(({ id, email }) => [id, email]))} />
          );
        }}
      </WhenLoaded>
    </Modal>
  );
}

function ShareForm({ userId, shares, offered, onClose, onSet }: ShareDialogProps & { readonly offered: Readonly<Record<string, string>> }) {
  const id = useId();
  const known = shares.find((one) => one.userId === userId);
  const [chosen, choose] = useState(userId === '' ? (Object.keys(offered)[0] ?? '') : userId);
  const [cap, setCap] = useState(known ? creditField(known.capMicro) : '');
  const form = useSentForm(
    () => call('PUT /api/inference/wallet/members/:userId', { params: { userId: chosen }, body: { capMicro: Math.round(Number(cap) * microPerCredit) } }),
    onSet,
  );
  return (
    <form className="page-form" onSubmit={form.submit}>
      <FormField id={id} label="Member">
        <Select id={id} value={chosen} options={offered} onChange={choose} />
      </FormField>
      <TextField
        label="Cap, in US dollars per period"
        type="number"
        inputMode="decimal"
        min={0}
        step="any"
        required
        autoFocus
        hint="Maximum total cost of this member’s model calls; 0 allows no calls."
        value={cap}
        onChange={setCap}
      />
      <FormEnd problem={form.problem} isBusy={form.isBusy} isIncomplete={cap === ''} label="Set the cap" busyLabel="Setting…" onClose={onClose} />
    </form>
  );
}
