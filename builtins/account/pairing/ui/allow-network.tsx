// Renders the switch that makes the server reachable on the local network; pairing by code or QR code requires it.
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { Problem } from '#page/kit/page/when-loaded.tsx';
import { t } from '#page/kit/t.ts';

export function AllowNetwork({ isAllowed = false, onChanged }: { readonly isAllowed?: boolean; readonly onChanged: () => void }) {
  const { call } = useClient();
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function change(): Promise<void> {
    setBusy(true);
    setProblem(undefined);
    try {
      await call('PUT /api/pair/network', { body: { isAllowed: !isAllowed } });
      onChanged();
    } catch (error) {
      setProblem(explainError(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="allow-network">
      {problem !== undefined && <Problem title={t('The setting was not changed.')} text={problem} />}
      <p className="muted small">
        {isAllowed
          ? t('Devices in this network can open this page. Each one needs a code.')
          : t('Only this machine can open this page. Allow your network to pair a phone or another computer; each device needs a code.')}
      </p>
      <button type="button" className={isAllowed ? 'button bare' : 'button primary'} disabled={isBusy} onClick={() => void change()}>
        {isAllowed ? t('Stop allowing this network') : t('Allow devices in this network')}
      </button>
    </div>
  );
}
