// Tracks the untrusted content of a chat's folder, and stores the user's trust decisions.
import { useCallback, useEffect, useState } from 'react';
import { handle, type Client } from 'agent-harness/client';
import { useClient } from '../kit/hooks.ts';
import type { UntrustedItem } from './trust-texts.ts';

export interface Untrusted {
  /** `undefined` until the subjects are loaded. */
  readonly subjects: readonly UntrustedItem[] | undefined;
  /** Trusts these versions of the content. Rejects with the first failed call. */
  trust(items: readonly UntrustedItem[]): Promise<void>;
}

/** @param isActive whether to load the subjects; the route requires the owner's rights */
export function useUntrusted(chatId: string, isActive = true): Untrusted {
  const client = useClient();
  const [subjects, setSubjects] = useState<readonly UntrustedItem[]>();
  useEffect(() => (isActive ? watchTrust(client, chatId, setSubjects) : undefined), [client, chatId, isActive]);
  const trust = useCallback(
    async (items: readonly UntrustedItem[]) => {
      for (const { name, digest } of items) {
        const { subjects: left } = await client.call('POST /api/workspace/trust', { body: { chatId, name, digest, isTrusted: true } });
        setSubjects(left);
      }
    },
    [client, chatId],
  );
  return { subjects, trust };
}

/** Returns the unsubscribe function. */
function watchTrust(client: Client, chatId: string, set: (subjects: readonly UntrustedItem[] | undefined) => void): () => void {
  let request = new AbortController();
  function read(): void {
    request.abort();
    const current = (request = new AbortController());
    client.call('GET /api/workspace/trust', { query: { chatId }, signal: current.signal }).then(
      ({ subjects }) => current.signal.aborted || set(subjects),
      () => undefined, // untrusted content is not used, so the notice can wait
    );
  }
  // No event reports changes that a turn or another program makes in the folder.
  const leave = client.on((event) => {
    if (event.kind === 'integration_changed') read();
    if (event.chatId === chatId) handle(event, { turn_end: read });
  });
  const onVisible = (): void => (document.hidden ? undefined : read());
  document.addEventListener('visibilitychange', onVisible);
  read();
  return () => {
    request.abort();
    document.removeEventListener('visibilitychange', onVisible);
    leave();
    set(undefined);
  };
}
