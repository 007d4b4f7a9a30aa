// Paired devices: which there are, revoking one, and pairing another.
import type { ReplyOf } from 'agent-harness/client';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { explainError } from '#page/kit/page/explain-error.ts';
import { formatTime } from '#page/kit/page/format.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { Problem, WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import './devices.css';
import { PairDevice } from './pair-device.tsx';

type PairedDevice = ReplyOf<'GET /api/pair/devices'>['devices'][number];

export function Devices() {
  const { call } = useClient();
  const [problem, setProblem] = useState<string>();
  const loaded = useLoaded('devices', (signal) => call('GET /api/pair/devices', { signal }));

  async function revoke({ id, name }: PairedDevice): Promise<void> {
    if (!confirm(`Sign “${name}” out? It needs a new code to come back.`)) return;
    setProblem(undefined);
    try {
      await call('DELETE /api/pair/devices/:id', { params: { id } });
    } catch (error) {
      setProblem(explainError(error));
    }
    loaded.reload();
  }

  return (
    <section className="page-section" aria-labelledby="devices-title">
      <h2 id="devices-title">Paired devices</h2>
      {problem !== undefined && <Problem title="The device is still paired." text={problem} />}
      <WhenLoaded loaded={loaded} what="devices">
        {({ devices }) => (
          <>
            {devices.length === 0 ? (
              <p className="muted">No other device has access.</p>
            ) : (
              <ul className="page-card device-list">
                {devices.map((device) => (
                  <li key={device.id}>
                    <Smartphone size={18} aria-hidden="true" />
                    <span className="device-list-words">
                      <span>{device.name}</span>
                      <span className="muted small">
                        Paired {formatTime(device.createdAt)}
                        {device.lastSeenAt !== undefined && `, last seen ${formatTime(device.lastSeenAt)}`}
                      </span>
                    </span>
                    <button type="button" className="button danger" aria-label={`Revoke ${device.name}`} onClick={() => void revoke(device)}>
                      Revoke
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <PairDevice onPaired={loaded.reload} />
          </>
        )}
      </WhenLoaded>
    </section>
  );
}
