// Implements the server's own health checks: requirements of every request, and findings for the operator.
import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from 'agent-harness/kernel';
import type { PlaneCheck } from './contract.ts';
import type { Nodes } from './nodes.ts';
import { checkPublicAddress } from './public-address.ts';

export interface OwnCheckParts {
  readonly services: Pick<Services, 'database' | 'planeKeys' | 'signals' | 'http'>;
  readonly nodes: Nodes;
  readonly publicUrl: () => string;
}

/** Beyond this offset, licenses and notes of two machines are treated inconsistently. */
const longestSkewMs = 5_000;
/** A starting command needs this time to connect. */
const longestConnectMs = 3_000;

export function ownChecks({ services, nodes, publicUrl }: OwnCheckParts): readonly PlaneCheck[] {
  async function signalState(): Promise<'in-process' | 'connected' | 'lost'> {
    const end = performance.now() + longestConnectMs;
    while (services.http.address() === undefined && services.signals.state() === 'lost' && performance.now() < end) await pause(50);
    return services.signals.state();
  }

  return [
    {
      name: 'database',
      isNeeded: true,
      async look() {
        const { kind, version, migrations } = await services.database.status();
        const message = `PostgreSQL ${version}, ${migrations} migrations`;
        return { state: 'fine', message: kind === 'embedded' ? `${message}, embedded: for one node, and it does not survive a power cut.` : `${message}.` };
      },
    },
    {
      name: 'keys',
      isNeeded: true,
      async look() {
        await services.planeKeys.publicKey();
        return { state: 'fine', message: 'The signing key is there and opens with this secret.' };
      },
    },
    {
      name: 'signals',
      isNeeded: true,
      async look() {
        const state = await signalState();
        if (state === 'lost') return { state: 'warning', message: 'NATS cannot be reached, so other nodes hear of changes up to a second later.' };
        return { state: 'fine', message: state === 'connected' ? 'NATS wakes the other nodes.' : 'Within one node; a second one needs NATS_URL.' };
      },
    },
    {
      name: 'nodes',
      async look() {
        const all = await nodes.list();
        const versions = new Set(all.map(({ version }) => version));
        const hosts = all.map(({ host }) => host).join(', ');
        if (versions.size > 1) return { state: 'warning', message: `The nodes have several versions: ${[...versions].join(', ')}. Bring all to the newest.` };
        if (all.length > 1 && services.signals.state() === 'in-process') {
          return { state: 'warning', message: `${all.length} nodes without NATS do not hear each other. Set NATS_URL on each.` };
        }
        return { state: 'fine', message: all.length === 0 ? 'None serves now.' : `${all.length} serve: ${hosts}.` };
      },
    },
    {
      name: 'clock',
      async look() {
        const all = [await nodes.measureSkew(), ...(await nodes.list()).map(({ skewMs }) => skewMs)];
        const worst = all.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one));
        if (Math.abs(worst) <= longestSkewMs) return { state: 'fine', message: `Within ${Math.ceil(Math.abs(worst) / 1000)} s of the database's.` };
        return { state: 'warning', message: `A node's clock is ${Math.round(worst / 1000)} s ahead of the database's. Let both follow the same time server.` };
      },
    },
    { name: 'public-address', look: () => checkPublicAddress(publicUrl()) },
  ];
}
