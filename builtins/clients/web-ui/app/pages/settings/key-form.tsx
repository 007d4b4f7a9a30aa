// A key of the model provider, typed in: tried at once, kept in the memory of the server, never shown again.
import { useId, useState } from 'react';
import { useClient } from '../../kit/hooks.ts';
import { CopyButton } from '../../kit/copy-button.tsx';
import { FormField } from '../../kit/page/form-field.tsx';
import { useSentForm } from '../../kit/page/use-sent-form.ts';

interface KeyFormProps {
  readonly baseURL: string;
  /** The server uses it from now on. */
  readonly onUsed: () => void;
}

export function KeyForm({ baseURL, onUsed }: KeyFormProps) {
  const client = useClient();
  const id = useId();
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
      <FormField id={`${id}-key`} label="Key" hint="Tried at once and kept in the memory of the server only; it is never written or shown.">
        <input
          id={`${id}-key`}
          className="field"
          type="password"
          required
          autoComplete="off"
          value={key}
          aria-describedby={`${id}-key-hint`}
          onChange={(event) => setKey(event.target.value)}
        />
      </FormField>
      <FormField id={`${id}-url`} label="Base URL" hint="Of another provider than the one above.">
        <input
          id={`${id}-url`}
          className="field"
          type="url"
          placeholder={baseURL}
          value={url}
          aria-describedby={`${id}-url-hint`}
          onChange={(event) => setUrl(event.target.value)}
        />
      </FormField>
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
