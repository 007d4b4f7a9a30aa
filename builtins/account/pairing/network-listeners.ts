// Opens listeners on local network addresses for paired devices while the user allows it. They apply the same checks as the server.
import type { ChildScope, KernelError } from 'agent-harness/kernel';
import { createSerialQueue } from '#lib/async';
import { errorOf, messageOf } from '#lib/errors';
import { isNearby } from '#lib/net';
import { findOwnAddresses } from '#lib/own-addresses';
import { listIn } from '#lib/text';
import type { Http, HttpAddress } from 'agent-harness/plugins/http';
import type { Devices } from './device-store.ts';

export interface NetworkListeners {
  /** Opens or closes the listeners and stores the choice. Rejects with `NETWORK_UNAVAILABLE`. */
  allow(isAllowed: boolean): Promise<void>;
  /** Opens the listeners if the user has allowed them. Never rejects. */
  resume(): Promise<void>;
  /** Returns the addresses at which other devices reach the server; updated after network changes. */
  urls(): Promise<readonly string[]>;
}

export interface NetworkListenerParts {
  /** Creates the scope that lasts as long as the listeners are open. */
  readonly child: () => ChildScope;
  readonly http: Pick<Http, 'address'>;
  readonly devices: Pick<Devices, 'setUp' | 'isInNetwork' | 'setInNetwork'>;
  /** Comma-separated addresses to listen on; empty: all local network addresses. Read on every use. */
  readonly addresses: () => string;
  readonly makeError: (reason: 'NETWORK_UNAVAILABLE', details: { readonly why: string }) => KernelError;
  readonly warn: (message: string) => void;
}

/** Upper limit of the rights of requests on these listeners: the device's token decides. Requests never count as those of the local user. */
const ceiling = { role: 'owner' } as const;

export function createNetworkListeners({ child, http, devices, addresses, makeError, warn }: NetworkListenerParts): NetworkListeners {
  const changes = createSerialQueue();
  let opened: { readonly scope: ChildScope; readonly place: string; readonly urls: readonly string[] } | undefined;

  function hostsNow(): string[] {
    const given = listIn(addresses());
    if (given.length > 0) return given;
    const { urls, isLocalOnly } = findOwnAddresses({ host: '0.0.0.0', port: 0, url: '' });
    return isLocalOnly ? [] : urls.map((url) => new URL(url).hostname);
  }

  async function close(): Promise<void> {
    const { scope } = opened ?? {};
    opened = undefined;
    await scope?.dispose();
  }

  async function open(): Promise<void> {
    const main = http.address();
    const hosts = hostsNow();
    const place = `${hosts.join()} ${main?.port}`;
    if (!main || opened?.place === place) return;
    await close();
    if (hosts.length === 0) throw makeError('NETWORK_UNAVAILABLE', { why: 'The server has no address in a network.' });
    const scope = child();
    // Uses the port of the server, so that the address of a device stays valid after a restart.
    const found = await Promise.all(hosts.map((host) => listen(scope, host, main.port)));
    const urls = found.flatMap((one) => (one instanceof Error ? [] : [one.url]));
    const [fault] = found.filter((one) => one instanceof Error);
    if (urls.length === 0) {
      await scope.dispose();
      throw makeError('NETWORK_UNAVAILABLE', { why: fault ? fault.message : 'The server cannot listen on an address of the network.' });
    }
    opened = { scope, place, urls };
  }

  /** Contract: never rejects. */
  const resume = (): Promise<void> =>
    changes
      .run(async () => ((await devices.isInNetwork()) ? open() : undefined))
      .catch((fault: unknown) => warn(`Devices in the network cannot reach the server: ${messageOf(fault)}`));

  return {
    allow: (isAllowed) =>
      changes.run(async () => {
        if (!isAllowed) {
          await devices.setInNetwork(false);
          return close();
        }
        // Other machines are admitted only if the device file exists.
        await devices.setUp();
        await open();
        await devices.setInNetwork(true);
      }),
    resume,
    async urls() {
      await resume();
      return opened?.urls ?? [];
    },
  };
}

function listen(scope: ChildScope, host: string, port: number): Promise<HttpAddress | Error> {
  return new Promise((resolve) =>
    scope.add('listener', { host, port, ceiling, admits: isNearby, opened: resolve, failed: (fault) => resolve(errorOf(fault)) }),
  );
}
