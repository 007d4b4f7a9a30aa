// Renders the switch for push notifications in this browser.
import { useEffect, useId, useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { Switch } from '#page/kit/page/switch.tsx';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { browserName, currentSubscription, keysOf, subscribe, whyNoPush } from './push-browser.ts';
import { t } from '#page/kit/t.ts';

export function PushSwitch() {
  const { call } = useClient();
  const id = useId();
  const [why] = useState(whyNoPush);
  const [endpoint, setEndpoint] = useState<string>();
  const [words, setWords] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const loaded = useLoaded('push', (signal) => call('GET /api/push', { signal }));
  const service = endpoint === undefined ? undefined : new URL(endpoint).host;
  const own = loaded.value?.subscriptions.find((one) => one.isOwn && one.service === service);

  useEffect(() => {
    if (why !== undefined) return;
    currentSubscription().then(
      (found) => setEndpoint(found?.endpoint),
      () => undefined, // the subscription is requested again when the user toggles the switch
    );
  }, [why]);

  async function change(isOn: boolean): Promise<void> {
    setBusy(true);
    setWords(undefined);
    try {
      if (isOn) {
        const subscription = await subscribe(loaded.value?.publicKey ?? '');
        const { failure } = await call('POST /api/push', { body: { ...keysOf(subscription), name: browserName() } });
        setEndpoint(subscription.endpoint);
        setWords(
          failure === undefined
            ? t('Notifications are on. A test message was sent.')
            : t('Notifications are on, but the test message was not delivered: {failure}.', { failure }),
        );
      } else {
        await (await currentSubscription())?.unsubscribe();
        if (own) await call('DELETE /api/push/:id', { params: { id: own.id } });
        setEndpoint(undefined);
      }
    } catch (fault) {
      setWords(explainError(fault));
    } finally {
      setBusy(false);
      loaded.reload();
    }
  }

  return (
    <div className="look-card-notices">
      <Switch
        id={id}
        isOn={own !== undefined}
        isDisabled={why !== undefined || isBusy || loaded.value === undefined}
        describedBy={`${id}-about`}
        onChange={(isOn) => void change(isOn)}
      />
      <span>
        <label htmlFor={id}>{t('Also while the page is closed')}</label>{' '}
        <span id={`${id}-about`} className="muted small">
          {why ?? t('The push service of your browser’s vendor delivers the chat title and the pending decision, encrypted for this browser.')}
        </span>
        {words !== undefined && (
          <span className="small" role="status">
            {' '}
            {words}
          </span>
        )}
      </span>
    </div>
  );
}
