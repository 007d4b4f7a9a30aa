// Renders the list of paired devices, with actions to revoke one and to pair another.
import type { ReplyOf } from 'agent-harness/client';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { Problem, WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import './devices.css';
import { AllowNetwork } from './allow-network.tsx';
import { PairDevice } from './pair-device.tsx';
import { RoleChoice, type DeviceRole } from './role-choice.tsx';
import { t } from '#page/kit/t.ts';

type PairedDevice = ReplyOf<'GET /api/pair/devices'>['devices'][number];

export function Devices() {
  const { call } = useClient();
  const [problem, setProblem] = useState<string>();
  const loaded = useLoaded('devices', (signal) => call('GET /api/pair/devices', { signal }));

  async function revoke({ id, name }: PairedDevice): Promise<void> {
    if (!confirm(t('Sign out “{name}”? It needs a new code to sign in again.', { name }))) return;
    setProblem(undefined);
    try {
      await call('DELETE /api/pair/devices/:id', { params: { id } });
    } catch (error) {
      setProblem(explainError(error));
    }
    loaded.reload();
  }

  async function change({ id }: PairedDevice, role: DeviceRole): Promise<void> {
    setProblem(undefined);
    try {
      await call('PATCH /api/pair/devices/:id', { params: { id }, body: { role } });
    } catch (error) {
      setProblem(explainError(error));
    }
    loaded.reload();
  }

  return (
    <section className="page-section" aria-labelledby="devices-title">
      <h2 id="devices-title">{t('Paired devices')}</h2>
      {problem !== undefined && <Problem title={t('The device was not changed.')} text={problem} />}
      <WhenLoaded loaded={loaded} what={t('devices')}>
        {({ devices, ways, network }) => (
          <>
            {devices.length > 0 && (
              <ul className="page-card device-list">
                {devices.map((device) => (
                  <li key={device.id}>
                    <Smartphone size={18} aria-hidden="true" />
                    <span className="device-list-words">
                      <span>{device.name}</span>
                      <span className="muted small">
                        {device.lastSeenAt === undefined
                          ? t('Paired {createdAt}', { createdAt: formatTime(device.createdAt) })
                          : t('Paired {createdAt}, last seen {lastSeenAt}', {
                              createdAt: formatTime(device.createdAt),
                              lastSeenAt: formatTime(device.lastSeenAt),
                            })}
                      </span>
                    </span>
                    <RoleChoice label={t('Rights of {name}', { name: device.name })} value={device.role} onChange={(role) => void change(device, role)} />
                    <button type="button" className="button danger" aria-label={t('Revoke {name}', { name: device.name })} onClick={() => void revoke(device)}>
                      {t('Revoke')}
                    </button>
                  </li>
                ))}
              </ul>
            )}
            {network === 'closed' && <AllowNetwork onChanged={loaded.reload} />}
            {(network !== 'closed' || ways.includes('outside')) && (
              <PairDevice isReachable={network !== 'closed'} hasOutside={ways.includes('outside')} onPaired={loaded.reload} />
            )}
            {network === 'allowed' && <AllowNetwork isAllowed onChanged={loaded.reload} />}
          </>
        )}
      </WhenLoaded>
    </section>
  );
}
