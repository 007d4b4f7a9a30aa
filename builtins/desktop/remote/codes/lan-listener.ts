// Manages the listener for guests in the local network: open while a code or a guest exists, and accessible only to guests.
import type { ChildScope } from 'agent-harness/kernel';
import { errorOf } from '#lib/errors';
import { isNearby, reachOf } from '#lib/net';
import type { HttpAddress } from 'agent-harness/plugins/http';

export interface LanListener {
  /** Starts listening. Rejects if that fails. */
  open(): Promise<HttpAddress>;
  close(): Promise<void>;
  readonly address: HttpAddress | undefined;
}

const ceiling = { role: 'viewer', areas: ['remote_guest'] } as const;
const wildcards = ['0.0.0.0', '::'];

/** @param child creates a scope that lasts as long as the listener */
export function createLanListener(child: () => ChildScope, host: () => string): LanListener {
  let opening: { readonly scope: ChildScope; readonly address: Promise<HttpAddress> } | undefined;
  let address: HttpAddress | undefined;

  return {
    get address() {
      return address;
    },
    open() {
      if (opening) return opening.address;
      const scope = child();
      const bound = host();
      // A configured public address means that the listener should be publicly reachable.
      const isForAll = !wildcards.includes(bound) && reachOf(bound) === 'public';
      const listening = new Promise<HttpAddress>((resolve, reject) => {
        const listener = {
          ...{ host: bound, port: 0, ceiling },
          admits: (peer: string) => isForAll || isNearby(peer),
          opened(at: HttpAddress) {
            address = at;
            resolve(at);
          },
          failed: (fault: Error) => reject(errorOf(fault)),
        };
        scope.add('listener', listener);
      });
      const own = { scope, address: listening };
      opening = own;
      listening.catch(() => {
        if (opening === own) opening = undefined;
        void scope.dispose();
      });
      return listening;
    },
    async close() {
      const { scope } = opening ?? {};
      opening = address = undefined;
      await scope?.dispose();
    },
  };
}
