// Renders the form for a model provider's API key, which is tested immediately, stored in the server's memory, and never shown again.
import type { ReplyOf } from 'agent-harness/client';
import { useState, type ReactNode } from 'react';
import { CopyButton } from '../copy-button.tsx';
import { useClient } from '../hooks.ts';
import { TextField } from '../page/text-field.tsx';
import { useSentForm } from '../page/use-sent-form.ts';
import { OtherModel } from './other-model.tsx';
import { t, tx } from '../t.ts';

interface KeyFormProps {
  /** The provider of the key. Without it, the form asks for an address. */
  readonly provider?: ReplyOf<'GET /api/provider'>['providers'][number];
  /** Used if no address is entered. */
  readonly usualURL?: string;
  /** Called when the server has started to use the key. */
  readonly onUsed: () => void;
  readonly children?: ReactNode;
}

export function KeyForm({ provider, usualURL, onUsed, children }: KeyFormProps) {
  const client = useClient();
  const [key, setKey] = useState('');
  const [url, setUrl] = useState('');
  const [keepLine, setKeepLine] = useState<string>();
  const baseURL = provider?.baseURL ?? url.trim();
  const { problem, isBusy, submit } = useSentForm(
    () => client.call('POST /api/provider/key', { body: { key: key.trim(), ...(baseURL === '' ? {} : { baseURL }) } }),
    (reply) => {
      setKey('');
      setKeepLine(reply.keepLine);
      onUsed();
    },
  );
  if (keepLine !== undefined) {
    return (
      <div className="connect-kept" role="status">
        <p>
          {tx(
            '{strong} until the server stops. To keep it, add this line with your key to the {file} file in the server’s home folder; the server reads it immediately. In a terminal, {command} does this for you.',
            { strong: <strong>{t('The key works and is in use')}</strong>, file: <code>.env</code>, command: <code>app key set</code> },
          )}
        </p>
        <p>
          <code className="connect-line">{keepLine}</code> <CopyButton text={() => keepLine} />
        </p>
        <OtherModel />
      </div>
    );
  }
  return (
    <form className="connect-form" aria-label={provider ? t('Key of {title}', { title: provider.title }) : t('Key of the provider')} onSubmit={submit}>
      <TextField
        label={t('Key')}
        hint={t("Tested at once and kept in the server's memory only; never stored or shown.")}
        type="password"
        value={key}
        required
        onChange={setKey}
      />
      {!provider && (
        <TextField
          label={t('Base URL')}
          hint={t('Only for a provider other than the one above.')}
          inputMode="url"
          value={url}
          placeholder={usualURL}
          onChange={setUrl}
        />
      )}
      {children}
      {problem !== undefined && (
        <p role="alert" className="connect-problem small">
          {problem}
        </p>
      )}
      <button type="submit" className="button primary" disabled={isBusy || key.trim() === ''}>
        {isBusy ? t('Testing…') : t('Use this key')}
      </button>
    </form>
  );
}
