// Decides which principals may call a route or open a WebSocket, for HTTP requests, upgrades and dispatched requests.
import type { IncomingMessage } from 'node:http';
import { leastRole, permits, roles } from '#lib/permits';
import type { Principal, Rights, Route } from 'agent-harness/plugins/http';
import type { Authenticated, Authentication } from './authentication.ts';
import type { Endpoint } from './endpoint.ts';
import type { MakeError } from './errors.ts';

/** The source of a request, with its principal once it has been authenticated. */
export interface Caller {
  /** The endpoint that received the request; omitted for a request that a plugin dispatched with a principal. */
  readonly endpoint?: Endpoint;
  /** The handshake of the WebSocket that carried the request; its headers authenticate the request. */
  readonly handshake?: IncomingMessage;
  principal?: Principal;
  token?: string;
  /** Authenticates the caller again, with the token of the request. */
  again?: () => Promise<Principal | undefined>;
}

export interface Access {
  /**
   * Authenticates the caller, and checks the requirements of the route. Rejects with `UNAUTHORIZED`, `FORBIDDEN`, `NOT_FOUND` (the route exceeds the rights of
   * the endpoint), `ENTITLEMENT_REQUIRED`, `TOO_MANY_ATTEMPTS`, or an error of the token source.
   */
  admit(request: IncomingMessage, caller: Caller, route: Pick<Route, 'auth' | 'permission' | 'entitlement'>, inQuery: unknown): Promise<void>;
  /** Returns whether the request certainly comes from the user; see {@link RouteContext.isLocal}. */
  isPerson(request: IncomingMessage, caller: Caller): boolean;
}

export function createAccess(authentication: Authentication, makeError: MakeError): Access {
  return {
    async admit(request, caller, { auth, permission, entitlement }, inQuery) {
      const { endpoint, handshake: carrying = request } = caller;
      if (caller.handshake && endpoint?.isStopping) throw makeError('NOT_READY');
      const ceiling = endpoint?.ceiling;
      if (ceiling && !permits(ceiling, permission)) throw makeError('NOT_FOUND', { method: request.method, path: request.url?.split('?', 1)[0] });
      if (endpoint) {
        const takesCookies = endpoint.policy.takesCookies(carrying);
        const identify = (): Promise<Authenticated | undefined> => authentication.authenticate(carrying, { inQuery, takesCookies });
        const within = (one: Principal): Principal => (ceiling ? limitTo(one, ceiling) : one);
        const authenticated = await identify().catch((fault: unknown) => {
          // The handler of an open route reads the token itself, even an expired one.
          if (auth === 'open' && (fault as { readonly status?: unknown }).status === 401) return undefined;
          throw fault;
        });
        caller.again = async () => identify().then((one) => one && within(one.principal));
        if (authenticated) Object.assign(caller, { token: authenticated.token, principal: within(authenticated.principal) });
      }
      const { principal } = caller;
      if (!principal && auth !== 'open') throw makeError('UNAUTHORIZED');
      if (principal && !isForAll({ auth, permission }) && !permits(principal, permission)) {
        throw makeError('FORBIDDEN', { permission: permission ?? 'owner', role: leastRole(permission) });
      }
      if (entitlement !== undefined && !principal?.entitlements?.includes(entitlement)) throw makeError('ENTITLEMENT_REQUIRED', { entitlement });
    },

    // A token identifies the principal, whichever connection is used.
    isPerson(request, { endpoint, principal, handshake = request }) {
      if (!endpoint || endpoint.ceiling || (principal && principal.role !== 'owner')) return false;
      return endpoint.policy.looksLocal(handshake) && authentication.isOwnConnection(handshake.socket);
    },
  };
}

/** Returns whether the route accepts every valid token: an open route without a permission. */
export function isForAll({ auth, permission }: { readonly auth?: Route['auth'] | undefined; readonly permission?: Route['permission'] | undefined }): boolean {
  return auth === 'open' && permission === undefined;
}

/** Returns the rights that both a principal and a ceiling have. */
export function limitTo<T extends Rights>(rights: T, ceiling: Rights): T {
  const role = roles.indexOf(rights.role) < roles.indexOf(ceiling.role) ? rights.role : ceiling.role;
  const areas = rights.areas && ceiling.areas ? rights.areas.filter((area) => ceiling.areas?.includes(area)) : (rights.areas ?? ceiling.areas);
  return { ...rights, role, ...(areas ? { areas } : {}) };
}
