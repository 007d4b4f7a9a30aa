// Renders the dialog for setting this control plane's OAuth client at a provider.
import { Modal } from '#page/kit/modal.tsx';
import { FormEnd } from '#page/kit/page/form-end.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { useState } from 'react';
import { call } from '../../base/plane.ts';

export interface ClientDialogProps {
  readonly connector: { readonly id: string; readonly title: string; readonly isSetUp: boolean; readonly clientId?: string; readonly callbackUrl: string };
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

export function ClientDialog({ connector: { id, title, isSetUp, clientId: known, callbackUrl }, onClose, onSaved }: ClientDialogProps) {
  const [clientId, setClientId] = useState(known ?? '');
  const [clientSecret, setSecret] = useState('');
  const form = useSentForm(
    () =>
      call('PUT /api/connectors/:provider', {
        params: { provider: id },
        body: { clientId: clientId.trim(), ...(clientSecret === '' ? {} : { clientSecret }) },
      }),
    onSaved,
  );
  return (
    <Modal title={`Client at ${title}`} onClose={onClose}>
      <form className="page-form" onSubmit={form.submit}>
        <TextField label="Callback address" value={callbackUrl} onChange={() => undefined} readOnly hint="Register it at the provider." />
        <TextField label="Client id" required value={clientId} onChange={setClientId} autoFocus />
        <TextField
          label="Client secret"
          type="password"
          required={!isSetUp}
          value={clientSecret}
          onChange={setSecret}
          hint={isSetUp ? 'Leave empty to keep the current secret. It is stored encrypted and not shown again.' : 'Stored encrypted and not shown again.'}
        />
        <FormEnd
          problem={form.problem}
          isBusy={form.isBusy}
          isIncomplete={clientId.trim() === '' || (!isSetUp && clientSecret === '')}
          label="Save"
          busyLabel="Saving…"
          onClose={onClose}
        />
      </form>
    </Modal>
  );
}
