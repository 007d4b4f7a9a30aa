// Offers to connect a real model in an empty chat while the demo model is the current model.
import { Suspense, useState } from 'react';
import { useClient } from '../hooks.ts';
import { lazyPart } from '../lazy-part.ts';
import { useSelected } from '../use-selected.ts';
import { t } from '../t.ts';

const ConnectModel = lazyPart(async () => (await import('./connect-model.tsx')).ConnectModel);

export function ConnectFirst() {
  const isDemo = useSelected(useClient().connection, ({ config }) => config?.demoModel === true);
  // The event that the model changed may arrive before the reply to the form: the section stays mounted, with the reply's result.
  const [wasShown, setShown] = useState(isDemo);
  if (isDemo && !wasShown) setShown(true);
  if (!isDemo && !wasShown) return null;
  return (
    <section className="welcome-connect" aria-label={t('Connect a model')}>
      <h3>{t('Connect a model')}</h3>
      <Suspense>
        <ConnectModel />
      </Suspense>
    </section>
  );
}
