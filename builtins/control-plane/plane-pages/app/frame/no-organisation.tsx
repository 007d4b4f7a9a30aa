// Renders the page for a user without an organisation.
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useState } from 'react';
import type { Me } from '../base/me.ts';
import { call, leaveForSignIn } from '../base/plane.ts';
import { GateCard } from '../gate/gate-card.tsx';
import { GateForm } from '../gate/gate-form.tsx';
import { useAct } from '#page/kit/page/use-act.ts';

export function NoOrganisation({ me, onJoined }: { readonly me: Me; readonly onJoined: () => void }) {
  const [name, setName] = useState('');
  const { isBusy, run } = useAct();
  const form = useSentForm(() => call('POST /api/orgs', { body: { name: name.trim() } }), onJoined);
  return (
    <GateCard title="No organisation" intro={`${me.person.email} is in no organisation. Ask a member for an invitation, or create an organisation.`}>
      <GateForm form={form} isIncomplete={name.trim() === ''} label="Create an organisation" busyLabel="Creating…">
        <TextField label="Name of the organisation" required maxLength={100} value={name} onChange={setName} spellCheck />
      </GateForm>
      <button type="button" className="button bare" disabled={isBusy} onClick={() => void run(() => call('POST /api/account/sign-out').then(leaveForSignIn))}>
        Sign out
      </button>
    </GateCard>
  );
}
