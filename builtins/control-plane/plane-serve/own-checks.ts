// What this plugin looks at itself: what every request needs.
import type { Services } from 'agent-harness/kernel';
import type { PlaneCheck } from './contract.ts';

export function ownChecks(services: Pick<Services, 'database' | 'planeKeys' | 'signals'>): readonly PlaneCheck[] {
  return [
    {
      name: 'database',
      isNeeded: true,
      async look() {
        const { kind, version } = await services.database.status();
        return { state: 'fine', message: kind === 'embedded' ? `PostgreSQL ${version}, embedded: for one node.` : `PostgreSQL ${version}.` };
      },
    },
    {
      name: 'keys',
      isNeeded: true,
      async look() {
        await services.planeKeys.publicKey();
        return { state: 'fine', message: 'The signing key is there.' };
      },
    },
    {
      name: 'signals',
      isNeeded: true,
      look() {
        const state = services.signals.state();
        if (state === 'lost') return { state: 'warning', message: 'NATS cannot be reached, so other nodes hear of changes up to a second later.' };
        return { state: 'fine', message: state === 'connected' ? 'NATS wakes the other nodes.' : 'Within this process: for one node.' };
      },
    },
  ];
}
