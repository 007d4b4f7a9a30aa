// The dashboard of an organisation.
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { WhenLoaded } from '#page/kit/page/when-loaded.tsx';
import { call } from '../base/plane.ts';
import { GateCard } from '../gate/gate-card.tsx';

export function Dashboard() {
  const ready = useLoaded('ready', (signal) => call('GET /readyz', { signal }));
  return (
    <GateCard title="Control plane">
      <WhenLoaded loaded={ready} what="state">
        {() => <p>It is ready.</p>}
      </WhenLoaded>
    </GateCard>
  );
}
