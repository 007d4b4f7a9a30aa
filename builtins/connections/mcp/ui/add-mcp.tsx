// Renders the form for connecting a server: a program on this machine, or a URL.
import { useId, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { Modal } from '#page/kit/modal.tsx';
import { FormEnd } from '#page/kit/page/form-end.tsx';
import { FormField } from '#page/kit/page/form-field.tsx';
import { useSentForm } from '#page/kit/page/use-sent-form.ts';
import { Choices } from '#page/kit/page/choices.tsx';
import type { AddFormProps } from '#page/points/connections/connection-section.tsx';
import { nameHint, namePattern } from '#page/points/connections/connection-texts.ts';
import { emptyMcpForm, mcpServerOf, type McpForm } from './mcp-form.ts';
import { SecretField } from '#page/kit/page/secret-field.tsx';
import { TextField } from '#page/kit/page/text-field.tsx';
import { t, table } from '#page/kit/t.ts';

const ways = table({ command: 'A program on this machine', url: 'An address' } as const);
const signs = table({ none: 'No sign-in', bearer: 'A bearer token', oauth: 'Sign in there (OAuth)' } as const);

export function AddMcp({ onAdded, onClose }: AddFormProps) {
  const client = useClient();
  const id = useId();
  const [form, setForm] = useState(emptyMcpForm);
  const set = (change: Partial<McpForm>): void => setForm({ ...form, ...change });
  const { problem, isBusy, submit } = useSentForm(
    () => client.call('POST /api/integrations/mcp', { body: mcpServerOf(form) }),
    (added) => onAdded(form.name, added),
  );

  return (
    <Modal
      title={t('Add an MCP server')}
      description={t('Its tools are offered to the agent. A program runs on this machine, with your rights.')}
      onClose={onClose}
    >
      <form className="page-form" onSubmit={submit}>
        <TextField label={t('Name')} hint={t(nameHint)} value={form.name} pattern={namePattern} required onChange={(name) => set({ name })} />
        <Choices legend={t('Connection type')} value={form.how} options={ways} onChange={(how) => set({ how })} />
        {form.how === 'command' ? (
          <>
            <TextField label={t('Command')} value={form.command} placeholder="npx" required onChange={(command) => set({ command })} />
            <FormField id={`${id}-arguments`} label={t('Arguments')} hint={t('One per line, without quotes.')}>
              <textarea
                className="field"
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                id={`${id}-arguments`}
                rows={3}
                value={form.argumentLines}
                aria-describedby={`${id}-arguments-hint`}
                onChange={(event) => set({ argumentLines: event.target.value })}
              />
            </FormField>
          </>
        ) : (
          <>
            <TextField label={t('Address')} type="url" value={form.url} placeholder="https://example.org/mcp" required onChange={(url) => set({ url })} />
            <Choices legend={t('Sign-in')} value={form.sign} options={signs} onChange={(sign) => set({ sign })} />
            {form.sign === 'bearer' && <SecretField label={t('Token')} value={form.token} onChange={(token) => set({ token })} />}
          </>
        )}
        <label>
          <input type="checkbox" checked={form.autoApproveReads} onChange={(event) => set({ autoApproveReads: event.target.checked })} />{' '}
          {t('Tools that declare themselves read-only need no approval')}
        </label>
        <FormEnd problem={problem} isBusy={isBusy} label={t('Connect')} busyLabel={t('Connecting…')} onClose={onClose} />
      </form>
    </Modal>
  );
}
