// Authenticates the principal of an HTTP request by its token, and limits failed attempts per client address.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback, networkOf } from '#lib/hosts';
import { BoundedMap } from '#lib/values';
import type { ClientAddress, Principal, TokenSource, WebToken } from 'agent-harness/plugins/http';
import type { Processes } from 'agent-harness/plugins/processes';
import { cookieIn, tokenOf } from './credentials.ts';
import type { MakeError } from './errors.ts';
import { isPerson, peerOf } from './local-peer.ts';
import { minTokenLength } from './web-token.ts';

export interface AuthenticationParts {
  readonly services: { readonly product: { readonly name: string }; readonly processes: Processes };
  readonly webToken: WebToken;
  readonly tokenSources: ReadonlySet<TokenSource>;
  readonly clientAddresses: ReadonlySet<ClientAddress>;
  readonly makeError: MakeError;
  /** Live values of the settings. */
  readonly settings: { readonly attemptsPerMinute: number };
}

export interface Authenticated {
  readonly principal: Principal;
  readonly token: string;
}

export interface Authentication {
  /**
   * Returns the token of the request and its principal; `undefined` if there is no valid token. Rejects with `TOO_MANY_ATTEMPTS`.
   * @param from `inQuery`: the token in the URL; `takesCookies`: whether cookies may authenticate the request
   */
  authenticate(request: IncomingMessage, from: { readonly inQuery: unknown; readonly takesCookies: boolean }): Promise<Authenticated | undefined>;
  /** Runs a handler whose input may be a guess; see `Route.isGuessable`. Rejects with `TOO_MANY_ATTEMPTS`, or with the error of `work`. */
  guess<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T>;
  /** Returns the part of {@link RouteContext.isLocal} that depends on the connection. */
  isOwnConnection(socket: Socket): boolean;
}

export function createAuthentication(parts: AuthenticationParts): Authentication {
  const { services, webToken, tokenSources, clientAddresses, makeError, settings } = parts;
  const attempts = createAttempts(
    () => performance.now(),
    () => settings.attemptsPerMinute,
  );
  const trusted = new WeakSet<Socket>();
  const ownConnections = new WeakMap<Socket, boolean>();
  const headerName = `x-${services.product.name.toLowerCase()}-token`;

  function clientOf({ socket, headers }: IncomingMessage): string {
    const peer = peerOf(socket);
    for (const source of clientAddresses) {
      const client = source.read({ peer, headers });
      if (client !== peer) return client;
    }
    return peer;
  }

  /** Returns the principal of a cookie. An unknown cookie is not a failed attempt, because browsers send cookies with every request. */
  async function identifyCookie({ headers }: IncomingMessage): Promise<Authenticated | undefined> {
    for (const source of tokenSources) {
      const token = source.cookie === undefined ? undefined : cookieIn(headers.cookie, source.cookie);
      const principal = token === undefined ? undefined : await source.identify(token);
      if (principal && token !== undefined) return { principal, token };
    }
    return undefined;
  }

  async function identify(token: string): Promise<Principal | undefined> {
    for (const source of tokenSources) {
      const principal = await source.identify(token);
      if (principal) return principal;
    }
    return undefined;
  }

  return {
    async authenticate(request, { inQuery, takesCookies }) {
      const token = tokenOf(request.headers, headerName, inQuery);
      if (token === undefined) return takesCookies ? identifyCookie(request) : undefined;
      const { socket } = request;
      const client = clientOf(request);
      const current = await webToken.current();
      const retryAfter = attempts.secondsLeft(client);
      // A generated token cannot be guessed, so other clients at the same address never lock out its holder. A short token from the environment can be guessed:
      // a correct guess must then look like a wrong one, except on a connection that was authenticated before.
      if (retryAfter > 0 && current.length < minTokenLength && !trusted.has(socket)) throw makeError('TOO_MANY_ATTEMPTS', { retryAfter });
      const principal = await identify(token);
      if (principal) {
        trusted.add(socket);
        return { principal, token };
      }
      if (retryAfter > 0) throw makeError('TOO_MANY_ATTEMPTS', { retryAfter });
      attempts.fail(client);
      return undefined;
    },

    async guess(request, work) {
      const client = clientOf(request);
      const retryAfter = attempts.secondsLeft(client);
      if (retryAfter > 0) throw makeError('TOO_MANY_ATTEMPTS', { retryAfter });
      // Counted before the result is known; otherwise, all concurrent guesses would be accepted.
      attempts.fail(client);
      const result = await work();
      attempts.forgive(client);
      return result;
    },

    isOwnConnection(socket) {
      let isOwn = ownConnections.get(socket);
      if (isOwn === undefined) {
        isOwn = isLoopback(peerOf(socket)) && isPerson(socket, services.processes);
        ownConnections.set(socket, isOwn);
      }
      return isOwn;
    },
  };
}

export interface Attempts {
  /** Returns the seconds until the peer may try again; 0 if it may try now. */
  secondsLeft(peer: string): number;
  /** Counts a wrong token or code. */
  fail(peer: string): void;
  /** Removes an attempt that turned out to be successful from the count. */
  forgive(peer: string): void;
}

const windowMs = 60_000;
/** Maximum number of client networks in memory, because an attacker may use many addresses. */
const maxPeers = 10_000;

/** Counts failed attempts per client network. @param now returns milliseconds @param limit returns the number of attempts allowed per minute and network */
export function createAttempts(now: () => number, limit: () => number): Attempts {
  const windows = new BoundedMap<string, { begun: number; failures: number }>(maxPeers);

  function windowOf(peer: string): { begun: number; failures: number } | undefined {
    const window = windows.get(networkOf(peer));
    return window && now() - window.begun < windowMs ? window : undefined;
  }

  return {
    secondsLeft(peer) {
      const window = windowOf(peer);
      return window && window.failures >= limit() ? Math.max(1, Math.ceil((window.begun + windowMs - now()) / 1000)) : 0;
    },
    fail(peer) {
      const window = windowOf(peer);
      if (window) {
        window.failures++;
        return;
      }
      windows.set(networkOf(peer), { begun: now(), failures: 1 });
    },
    forgive(peer) {
      const window = windowOf(peer);
      if (window && window.failures > 0) window.failures--;
    },
  };
}
