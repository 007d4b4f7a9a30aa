// Shows that the folder of a chat contains content that is not trusted yet.
import { ShieldAlert, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { handle, type Client } from 'agent-harness/client';
import { hashOf, useClient } from '../kit/hooks.ts';
import { hostOnly } from '../kit/host-only.tsx';
import { trustWords, keepRead, readDigests, unreadOf, type UntrustedItem } from './trust-words.ts';
import { t } from '../kit/t.ts';
import '../kit/composer-note.css';

export function TrustLine({ chatId }: { readonly chatId: string }) {
  const client = useClient();
  const [read, setRead] = useState(readDigests);
  const [subjects, setSubjects] = useState<readonly UntrustedItem[]>([]);
  useEffect(() => watchTrust(client, chatId, setSubjects), [client, chatId]);
  const waiting = unreadOf(subjects, read);
  if (waiting.length === 0) return null;
  return (
    <div className="composer-note" role="note" {...hostOnly}>
      <ShieldAlert size={16} aria-hidden />
      <p>
        {trustWords(waiting)} <a href={hashOf({ page: 'connections' })}>{t('Review')}</a>
      </p>
      <button type="button" className="button bare icon" aria-label={t('Dismiss this notice')} onClick={() => setRead(keepRead(waiting))}>
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}

/** Returns the unsubscribe function. */
function watchTrust(client: Client, chatId: string, set: (subjects: readonly UntrustedItem[]) => void): () => void {
  let asked = new AbortController();
  function read(): void {
    asked.abort();
    const current = (asked = new AbortController());
    client.call('GET /api/workspace/trust', { query: { chatId }, signal: current.signal }).then(
      ({ subjects }) => current.signal.aborted || set(subjects),
      () => undefined, // untrusted content has no effect, so the notice can wait
    );
  }
  // Changes made in the folder by a turn or another program are not announced.
  const leave = client.on((event) => {
    if (event.kind === 'integration_changed') read();
    if (event.chatId === chatId) handle(event, { turn_end: read });
  });
  const onVisible = (): void => (document.hidden ? undefined : read());
  document.addEventListener('visibilitychange', onVisible);
  read();
  return () => {
    asked.abort();
    document.removeEventListener('visibilitychange', onVisible);
    leave();
    set([]);
  };
}
