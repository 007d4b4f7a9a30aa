// In an empty chat, while the demo model answers: connecting a real one.
import { Suspense, useState } from 'react';
import { useClient } from '../hooks.ts';
import { lazyPart } from '../lazy-part.ts';
import { useSelected } from '../use-selected.ts';
import { t } from '../t.ts';

const ConnectModel = lazyPart(async () => (await import('./connect-model.tsx')).ConnectModel);

export function ConnectFirst() {
  const isDemo = useSelected(useClient().connection, ({ config }) => config?.demoModel === true);
  // What it says once a model is connected stays.
  const [isUsed, setUsed] = useState(false);
  if (!isDemo && !isUsed) return null;
  return (
    <section className="welcome-connect" aria-label={t('Connect a model')}>
      <h3>{t('Connect a model')}</h3>
      <Suspense>
        <ConnectModel onUsed={() => setUsed(true)} />
      </Suspense>
    </section>
  );
}
