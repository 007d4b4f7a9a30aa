// A key of the model provider, typed in: tried at once, kept in the memory of the server, never shown again.
import { useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { TextField } from '../../kit/page/text-field.tsx';
import { useSentForm } from '../../kit/page/use-sent-form.ts';

interface KeyFormProps {
  readonly baseURL: string;
  /** The server uses it from now on. */
  readonly onUsed: () => void;
}

export function KeyForm({ baseURL, onUsed }: KeyFormProps) {
  const client = useClient();
  const [key, setKey] = useState('');
  const [url, setUrl] = useState('');
  const [keepLine, setKeepLine] = useState<string>();
  const { problem, isBusy, submit } = useSentForm(
    () => client.call('POST /api/provider/key', { body: { key: key.trim(), ...(url.trim() === '' ? {} : { baseURL: url.trim() }) } }),
    (reply) => {
      setKey('');
      setKeepLine(reply.keepLine);
      onUsed();
    },
  );
  if (keepLine !== undefined) {
    return (
      <div className="provider-card-kept" role="status">
        <p>
          <strong>The key works and is in use</strong> until the server ends. To keep it, put this line with your key into the <code>.env</code> file of the
          server’s home folder; it is noticed when it is there.
        </p>
        <p>
          <code>{keepLine}</code> <CopyButton text={() => keepLine} />
        </p>
      </div>
    );
  }
  return (
    <form className="provider-card-key" aria-label="Key of the provider" onSubmit={submit}>
      <TextField
        label="Key"
        hint="Tried at once and kept in the memory of the server only; it is never written or shown."
        type="password"
        value={key}
        required
        onChange={setKey}
      />
      <TextField label="Base URL" hint="Of another provider than the one above." type="url" value={url} placeholder={baseURL} onChange={setUrl} />
      {problem !== undefined && (
        <p role="alert" className="provider-card-problem small">
          {problem}
        </p>
      )}
      <button type="submit" className="button primary" disabled={isBusy || key.trim() === ''}>
        {isBusy ? 'Trying…' : 'Use this key'}
      </button>
    </form>
  );
}
