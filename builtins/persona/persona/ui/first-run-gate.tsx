// Opens the question about the character while the server waits for its answer. The question itself comes in a file of its own.
import { Suspense, useEffect, useState } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';

const FirstRun = lazyPart(async () => (await import('./first-run.tsx')).FirstRun);

export function FirstRunGate() {
  const client = useClient();
  const { config } = useStore(client.connection);
  /** What the server said since the configuration was read. */
  const [latest, setLatest] = useState<{ readonly isPending: boolean; readonly config: typeof config }>();
  const [isOpen, setOpen] = useState(false);
  const isPending = (latest?.config === config ? latest?.isPending : undefined) ?? config?.personaBootstrapPending === true;
  const [wasPending, setWasPending] = useState(false);
  if (isPending !== wasPending) {
    setWasPending(isPending);
    if (isPending) setOpen(true);
  }
  useEffect(
    () =>
      client.on(({ kind }) => {
        if (kind !== 'persona_changed') return;
        client.call('GET /api/config').then(
          ({ personaBootstrapPending }) => setLatest({ isPending: personaBootstrapPending, config }),
          () => undefined, // the next reading of the configuration tells
        );
      }),
    [client, config],
  );
  if (!isOpen) return null;
  return (
    <Suspense>
      <FirstRun isPending={isPending} canSkip={config?.personaBootstrapAllowSkip !== false} onClose={() => setOpen(false)} />
    </Suspense>
  );
}
