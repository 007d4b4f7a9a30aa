// Renders the form for connecting an API by the URL or the pasted text of its OpenAPI document.
import { useId, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { Modal } from '#page/kit/modal.tsx';
import { FormEnd } from '#page/kit/page/form-end.tsx';
import { FormField } from '#page/kit/page/form-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { Choices } from '#page/kit/page/choices.tsx';
import type { AddFormProps } from '#page/points/connections/connection-section.tsx';
import { nameHint, namePattern } from '#page/points/connections/connection-texts.ts';
import { apiDocumentOf, emptyApiForm, type ApiForm } from './api-form.ts';
import './add-openapi.css';
import { SecretField } from '#page/kit/page/secret-field.tsx';
import { Select } from '#page/kit/page/select.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { t, table } from '#page/kit/t.ts';

const origins = table({ address: 'From a URL', text: 'Pasted' } as const);
const signs = table({
  none: 'None',
  bearer: 'Bearer token',
  header: 'Header',
  query: 'Query field',
  cookie: 'Cookie',
  basic: 'User and password',
} as const);

export function AddOpenApi({ onAdded, onClose }: AddFormProps) {
  const client = useClient();
  const id = useId();
  const [form, setForm] = useState(emptyApiForm);
  const set = (change: Partial<ApiForm>): void => setForm({ ...form, ...change });
  const { problem, isBusy, submit } = useSentForm(
    () => client.call('POST /api/integrations/openapi', { body: apiDocumentOf(form) }),
    (added) => onAdded(form.name, added),
  );

  return (
    <Modal
      title={t('Add an OpenAPI document')}
      description={t('Each of its operations becomes a tool. Read-only operations need no approval.')}
      onClose={onClose}
    >
      <form className="page-form" onSubmit={submit}>
        <TextField label={t('Name')} hint={t(nameHint)} value={form.name} pattern={namePattern} required onChange={(name) => set({ name })} />
        <Choices legend={t('Source of the document')} value={form.from} options={origins} onChange={(from) => set({ from })} />
        {form.from === 'address' ? (
          <TextField label={t('Address of the document')} type="url" value={form.specUrl} required onChange={(specUrl) => set({ specUrl })} />
        ) : (
          <FormField id={`${id}-text`} label={t('Document')} hint={t('JSON or YAML.')}>
            <textarea
              id={`${id}-text`}
              className="field connections-document"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              rows={6}
              value={form.spec}
              required
              aria-describedby={`${id}-text-hint`}
              onChange={(event) => set({ spec: event.target.value })}
            />
          </FormField>
        )}
        <TextField
          label={t('Base URL (optional)')}
          hint={t('Address of calls; the first server of the document when empty.')}
          type="url"
          value={form.baseUrl}
          onChange={(baseUrl) => set({ baseUrl })}
        />
        <Credentials id={id} form={form} set={set} />
        <FormEnd problem={problem} isBusy={isBusy} label={t('Connect')} busyLabel={t('Connecting…')} onClose={onClose} />
      </form>
    </Modal>
  );
}

interface CredentialsProps {
  readonly id: string;
  readonly form: ApiForm;
  readonly set: (change: Partial<ApiForm>) => void;
}

function Credentials({ id, form: { sign, signName, secret }, set }: CredentialsProps) {
  const hasName = sign !== 'none' && sign !== 'bearer';
  const secretLabel = sign === 'basic' ? t('Password') : sign === 'bearer' ? t('Token') : t('Value');
  return (
    <>
      <FormField id={`${id}-sign`} label={t('Credentials')}>
        <Select id={`${id}-sign`} value={sign} options={signs} onChange={(value) => set({ sign: value })} />
      </FormField>
      {hasName && (
        <TextField label={sign === 'basic' ? t('User') : t('Name of the field')} value={signName} required onChange={(name) => set({ signName: name })} />
      )}
      {sign !== 'none' && <SecretField label={secretLabel} value={secret} onChange={(value) => set({ secret: value })} />}
    </>
  );
}
