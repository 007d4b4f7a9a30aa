// Finds out who makes a request by the token it carries, and holds off whoever keeps guessing.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { isLoopback } from 'agent-harness/lib/hosts';
import type { ClientAddress, Principal, TokenSource, WebToken } from 'agent-harness/plugins/http';
import type { Processes } from 'agent-harness/plugins/processes';
import { createAttempts } from './attempts.ts';
import type { MakeError } from './error-table.ts';
import { isPerson, peerOf } from './local-peer.ts';
import { tokenInProtocols } from './token-query.ts';
import { minTokenLength } from './web-token.ts';

export interface AdmissionParts {
  readonly productName: string;
  readonly webToken: WebToken;
  readonly processes: Processes;
  readonly tokenSources: () => Iterable<TokenSource>;
  readonly clientAddresses: () => Iterable<ClientAddress>;
  readonly makeError: MakeError;
  /** Read at each use. */
  readonly settings: { readonly attemptsPerMinute: number };
}

export interface Admitted {
  readonly principal: Principal;
  readonly token: string;
}

export interface Admission {
  /**
   * The token that the request carries and whose it is, if it is in force. Rejects with `TOO_MANY_ATTEMPTS`.
   * @param from `inQuery`: the token of the URL; `takesCookies`: whether a cookie says who asks, too
   */
  authenticate(request: IncomingMessage, from: { readonly inQuery: unknown; readonly takesCookies: boolean }): Promise<Admitted | undefined>;
  /** Runs what may be a guess, see `Route.isGuessable`. Rejects with `TOO_MANY_ATTEMPTS`, or as `work` does. */
  guess<T>(request: IncomingMessage, work: () => Promise<T>): Promise<T>;
  /** The part of {@link RouteContext.isLocal} that the connection decides. */
  isOwnConnection(socket: Socket): boolean;
}

export function createAdmission({ productName, webToken, processes, tokenSources, clientAddresses, makeError, settings }: AdmissionParts): Admission {
  const attempts = createAttempts(
    () => performance.now(),
    () => settings.attemptsPerMinute,
  );
  const trusted = new WeakSet<Socket>();
  const ownConnections = new WeakMap<Socket, boolean>();
  const headerName = `x-${productName.toLowerCase()}-token`;

  function clientOf({ socket, headers }: IncomingMessage): string {
    const peer = peerOf(socket);
    for (const source of clientAddresses()) {
      const client = source.read({ peer, headers });
      if (client !== peer) return client;
    }
    return peer;
  }

  function tokenOf({ headers }: IncomingMessage, inQuery: unknown): string | undefined {
    const bearer = /^Bearer +(\S.*?) *$/i.exec(headers.authorization ?? '')?.[1];
    const candidates: unknown[] = [bearer, headers[headerName], inQuery, tokenInProtocols(headers['sec-websocket-protocol'])];
    return candidates.find((one): one is string => typeof one === 'string' && one !== '');
  }

  /** A browser sends the cookies of every page along, so one that nobody knows is no guess. */
  async function identifyCookie({ headers }: IncomingMessage): Promise<Admitted | undefined> {
    for (const source of tokenSources()) {
      const token = source.cookie === undefined ? undefined : cookieIn(headers.cookie, source.cookie);
      const principal = token === undefined ? undefined : await source.identify(token);
      if (principal && token !== undefined) return { principal, token };
    }
    return undefined;
  }

  async function identify(token: string): Promise<Principal | undefined> {
    for (const source of tokenSources()) {
      const principal = await source.identify(token);
      if (principal) return principal;
    }
    return undefined;
  }

  return {
    async authenticate(request, { inQuery, takesCookies }) {
      const token = tokenOf(request, inQuery);
      if (token === undefined) return takesCookies ? identifyCookie(request) : undefined;
      const { socket } = request;
      const client = clientOf(request);
      const current = await webToken.current();
      const retryAfter = attempts.secondsLeft(client);
      // A generated token cannot be guessed, so its holder is never held off by others behind the same address. A short
      // one of the environment can, so there a right guess must look like a wrong one, except where it was right before.
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
      // Counted before it is known to be wrong, or many guesses at once would all be heard.
      attempts.fail(client);
      const result = await work();
      attempts.forgive(client);
      return result;
    },

    isOwnConnection(socket) {
      let isOwn = ownConnections.get(socket);
      if (isOwn === undefined) {
        isOwn = isLoopback(peerOf(socket)) && isPerson(socket, processes);
        ownConnections.set(socket, isOwn);
      }
      return isOwn;
    },
  };
}

/** The value of the first cookie of that name, as it was set: no coding is undone. */
export function cookieIn(header: string | undefined, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const at = pair.indexOf('=');
    if (at >= 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
