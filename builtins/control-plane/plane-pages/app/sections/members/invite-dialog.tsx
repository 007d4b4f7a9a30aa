// Renders the dialog that creates an invitation, and shows its link once.
import { CopyButton } from '#page/kit/copy-button.tsx';
import { Modal } from '#page/kit/modal.tsx';
import { FormEnd } from '#page/kit/page/form-end.tsx';
import { FormField } from '#page/kit/page/form-field.tsx';
import { formatDate } from '#page/kit/page/format.ts';
import { Select } from '#page/kit/page/select.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useId, useState } from 'react';
import { roleHints, roles, roleTitles, useMembership, type Role } from '../../base/me.ts';
import { call, type ReplyOf } from '../../base/plane.ts';

type Made = ReplyOf<'POST /api/orgs/:id/invites'>;

export function InviteDialog({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: () => void }) {
  const [made, setMade] = useState<Made>();
  return (
    <Modal title={made ? 'Invitation created' : 'Invite a person'} onClose={onClose}>
      {made ? (
        <InviteLink made={made} onClose={onClose} />
      ) : (
        <InviteForm
          onClose={onClose}
          onMade={(next) => {
            setMade(next);
            onMade();
          }}
        />
      )}
    </Modal>
  );
}

function InviteForm({ onClose, onMade }: { readonly onClose: () => void; readonly onMade: (made: Made) => void }) {
  const { orgId, role: mine } = useMembership();
  const id = useId();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const form = useSentForm(
    () => call('POST /api/orgs/:id/invites', { params: { id: orgId }, body: { role, ...(email.trim() === '' ? {} : { email: email.trim() }) } }),
    onMade,
  );
  const offered = Object.fromEntries(roles.filter((one) => mine === 'owner' || one !== 'owner').map((one) => [one, roleTitles[one]]));
  return (
    <form className="page-form" onSubmit={form.submit}>
      <TextField label="E-mail" type="email" hint="If empty, any one person with the link can use it." value={email} onChange={setEmail} autoFocus />
      <FormField id={id} label="Role" hint={roleHints[role]}>
        <Select id={id} value={role} options={offered} onChange={setRole} />
      </FormField>
      <FormEnd problem={form.problem} isBusy={form.isBusy} label="Create the link" busyLabel="Creating…" onClose={onClose} />
    </form>
  );
}

function InviteLink({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const id = useId();
  return (
    <div className="page-form">
      <FormField
        id={id}
        label="Link"
        hint={`Can be used once, until ${formatDate(made.invite.endsAt)}. Copy it now, because it is not shown again.${made.mailed ? ' It was also sent by e-mail.' : ''}`}
      >
        <input id={id} className="field code-field" readOnly value={made.link} onFocus={(event) => event.target.select()} aria-describedby={`${id}-hint`} />
      </FormField>
      <div className="modal-actions">
        <CopyButton text={() => made.link} label="Copy link" />
        <button type="button" className="button primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  );
}
