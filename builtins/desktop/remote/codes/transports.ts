// Lists the transports for guests, and the reasons why transports are unavailable.
import type { RemoteTransport, RemoteTransportName } from 'agent-harness/builtins/desktop/remote';
import type { Http } from 'agent-harness/plugins/http';

export interface Transports {
  find(name: RemoteTransportName): RemoteTransport | undefined;
  /** Returns the reason as a sentence for the user; `undefined` if the transport is available. */
  whyNot(name: RemoteTransportName): Promise<string | undefined>;
}

export const transportNames: readonly RemoteTransportName[] = ['lan', 'cloud'];
/** Message while the plugin of the transport is inactive because there is no account. */
export const noRelay =
  'The cloud relay requires a Pro account. Sign in on the account page or with `app login`. In the local network, /remote works without an account.';
const switchedOff = ['', '0', 'off', 'false'];

export function createTransports(http: Pick<Http, 'address'>, transports: () => Iterable<RemoteTransport>, bindHost: () => string): Transports {
  const find: Transports['find'] = (name) => [...transports()].find((one) => one.name === name);
  return {
    find,
    async whyNot(name) {
      if (name !== 'lan') {
        const found = find(name);
        return found ? found.unavailable() : noRelay;
      }
      if (switchedOff.includes(bindHost().toLowerCase())) return 'The local network is disabled for remote sessions.';
      return http.address() ? undefined : 'The server does not listen on any address.';
    },
  };
}
