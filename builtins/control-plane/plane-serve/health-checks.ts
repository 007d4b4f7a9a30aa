// Implements the health checks of the control plane's server: checks for readiness, and checks for the operator only.
import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from 'agent-harness/kernel';
import type { PlaneCheck } from './contract.ts';
import type { Nodes } from './nodes.ts';
import { checkPublicAddress } from './public-address.ts';

export interface HealthCheckParts {
  readonly services: Pick<Services, 'database' | 'planeKeys' | 'signals' | 'http'>;
  readonly nodes: Nodes;
  readonly publicUrl: () => string;
}

/** Clock offset in milliseconds above which licenses and notes from two machines are handled inconsistently. */
const longestSkewMs = 5_000;
/** Maximum time, in milliseconds, that a new process may take to connect. */
const longestConnectMs = 3_000;

export function healthChecks({ services, nodes, publicUrl }: HealthCheckParts): readonly PlaneCheck[] {
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
        return {
          state: 'fine',
          message: kind === 'embedded' ? `${message}, embedded: it supports one node and does not survive a power failure.` : `${message}.`,
        };
      },
    },
    {
      name: 'keys',
      isNeeded: true,
      async look() {
        await services.planeKeys.publicKey();
        return { state: 'fine', message: 'The signing key exists and can be decrypted with this secret.' };
      },
    },
    {
      name: 'signals',
      isNeeded: true,
      async look() {
        const state = await signalState();
        if (state === 'lost')
          return {
            state: 'warning',
            message: 'NATS cannot be reached, so other nodes receive changes up to a second later. Check NATS_URL and the NATS server.',
          };
        return {
          state: 'fine',
          message: state === 'connected' ? 'NATS notifies the other nodes.' : 'Signals stay within this node. A second node requires NATS_URL.',
        };
      },
    },
    {
      name: 'nodes',
      async look() {
        const all = await nodes.list();
        const versions = new Set(all.map(({ version }) => version));
        const hosts = all.map(({ host }) => host).join(', ');
        if (versions.size > 1)
          return { state: 'warning', message: `The nodes have different versions: ${[...versions].join(', ')}. Update all of them to the newest version.` };
        if (all.length > 1 && services.signals.state() === 'in-process') {
          return { state: 'warning', message: `${all.length} nodes run without NATS, so they do not receive each other's signals. Set NATS_URL on each.` };
        }
        return { state: 'fine', message: all.length === 0 ? 'No node is serving.' : `Serving nodes (${all.length}): ${hosts}.` };
      },
    },
    {
      name: 'clock',
      async look() {
        const all = [await nodes.measureSkew(), ...(await nodes.list()).map(({ skewMs }) => skewMs)];
        const worst = all.reduce((one, other) => (Math.abs(other) > Math.abs(one) ? other : one));
        if (Math.abs(worst) <= longestSkewMs)
          return { state: 'fine', message: `All clocks are within ${Math.ceil(Math.abs(worst) / 1000)} s of the database's clock.` };
        return {
          state: 'warning',
          message: `A node's clock is ${Math.round(worst / 1000)} s ahead of the database's clock. Synchronise both with the same time server.`,
        };
      },
    },
    { name: 'public-address', look: () => checkPublicAddress(publicUrl()) },
  ];
}
