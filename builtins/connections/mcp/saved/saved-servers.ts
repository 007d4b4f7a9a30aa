// Manages the servers that the user configured: adds and removes servers, and restores them after a start.
import { createSerialQueue } from '#lib/async';
import type { Connection } from 'agent-harness/plugins/connections';
import { whyOf } from '../server/foreign-text.ts';
import type { McpParts } from '../mcp-parts.ts';
import { createMcpServer, type McpServer } from '../server/mcp-server.ts';
import type { ServerOffer } from '../server/offer.ts';
import { StartsSlowly } from '../server/slot.ts';
import { findFault, openSpec, sealOAuth, sealSpec, specOf, type GivenServer, type SavedServer } from './server-spec.ts';
import { createSignIn, type SignIn } from '../sign-in/sign-in.ts';

export interface AddedServer {
  readonly offer: ServerOffer;
  readonly authorizeUrl?: string;
}

export interface SavedServers {
  /** Declares the tools of all saved servers without starting them. */
  load(): Promise<void>;
  /** Connects to servers with unknown tools, in the background. */
  connectUnknown(): void;
  /** Adds a server. Replaces one with the same name if the new one is reachable. Rejects with `invalid` or `connect_failed`. */
  add(given: GivenServer): Promise<AddedServer>;
  /** Removes a server. Rejects with `not_found`. */
  remove(name: string): Promise<void>;
  /** Finishes a sign-in. Rejects with `not_found` or `sign_in_failed`. */
  finishSignIn(name: string, state: string, answer: { readonly code: string; readonly iss?: string } | undefined): Promise<void>;
  /** Reconnects and reads the server's tools and other features. Rejects with `not_found` or `connect_failed`. */
  test(name: string): Promise<ServerOffer>;
  find(name: string): McpServer | undefined;
  all(): readonly McpServer[];
  list(): Connection[];
  end(): Promise<void>;
}

interface Held {
  readonly server: McpServer;
  readonly signIn?: SignIn;
  readonly url?: string;
}

const section = 'mcp';

/** @param onChange called when the servers or their features change */
export function createSavedServers(parts: McpParts, onChange: () => void): SavedServers {
  const { connectionStore: store } = parts.services;
  const held = new Map<string, Held>();
  /** Serialises changes: two changes to the same name must not interleave. */
  const queue = createSerialQueue();

  function hold(name: string, saved: SavedServer): Held {
    const setup = saved.oauth ?? { kind: 'oauth' as const };
    const signIn = saved.usesOAuth === true && saved.url !== undefined ? createSignIn(name, { ...parts, setup, serverUrl: saved.url }) : undefined;
    const server = createMcpServer(
      {
        name,
        family: `mcp-${name}`,
        async spec() {
          const entry = (await store.entries<SavedServer>(section))[name];
          if (!entry) throw new Error('it was removed');
          return openSpec(entry, store);
        },
        ...(saved.autoApproveReads === true ? { autoApproveReads: true } : {}),
        ...(signIn ? { signIn } : {}),
        async remember(offer) {
          await store.update<SavedServer>(section, name, (entry) => entry && { ...entry, offer });
          onChange();
        },
      },
      parts,
    );
    const one: Held = { server, ...(signIn ? { signIn } : {}), ...(saved.url === undefined ? {} : { url: saved.url }) };
    held.set(name, one);
    if (saved.offer) server.declare(saved.offer);
    return one;
  }

  async function drop(name: string): Promise<void> {
    const one = held.get(name);
    held.delete(name);
    await one?.server.end();
  }

  async function add(given: GivenServer): Promise<AddedServer> {
    const { name } = given;
    const before = (await store.entries<SavedServer>(section))[name];
    const saved: SavedServer = {
      ...(await sealSpec(specOf(given), store)),
      ...(await sealOAuth(given.auth, store)),
      ...(given.autoApproveReads === true ? { autoApproveReads: true } : {}),
    };
    await store.update<SavedServer>(section, name, () => saved);
    await drop(name);
    const one = hold(name, saved);
    try {
      return { offer: await one.server.refresh() };
    } catch (fault) {
      const authorizeUrl = one.signIn?.authorizeUrl();
      if (authorizeUrl !== undefined) return { offer: one.server.offer, authorizeUrl };
      // A slow first start may be a download. The server is kept, and its tools become available later.
      if (fault instanceof StartsSlowly) return { offer: { ...one.server.offer, faults: [whyOf(fault)] } };
      await store.update<SavedServer>(section, name, () => before);
      await drop(name);
      if (before) hold(name, before);
      throw parts.error('CONNECT_FAILED', { name, why: whyOf(fault) }, fault);
    } finally {
      onChange();
    }
  }

  return {
    async load() {
      for (const [name, saved] of Object.entries(await store.entries<SavedServer>(section))) {
        try {
          if (!held.has(name)) hold(name, saved);
        } catch (fault) {
          parts.warn(`the saved MCP server '${name}' cannot be used: ${whyOf(fault)}`);
        }
      }
      onChange();
    },
    connectUnknown() {
      for (const { server } of held.values()) {
        if (server.connection().status !== 'connecting') continue;
        server.refresh().catch((fault: unknown) => parts.warn(`the MCP server '${server.name}' cannot be reached: ${whyOf(fault)}`));
      }
    },
    async add(given) {
      const fault = findFault(given);
      if (fault !== undefined) throw parts.error('INVALID', { why: fault });
      return queue.run(() => add(given));
    },
    remove: (name) =>
      queue.run(async () => {
        if (!held.has(name)) throw parts.error('NOT_FOUND', { name });
        await store.update<SavedServer>(section, name, () => undefined);
        await drop(name);
        parts.changed(name, 'removed');
        onChange();
      }),
    async test(name) {
      const one = held.get(name);
      if (!one) throw parts.error('NOT_FOUND', { name });
      try {
        return await one.server.refresh();
      } catch (fault) {
        throw parts.error('CONNECT_FAILED', { name, why: whyOf(fault) }, fault);
      }
    },
    async finishSignIn(name, state, answer) {
      const one = held.get(name);
      const attempt = one?.signIn?.redeem(state);
      if (!one?.signIn || one.url === undefined || !attempt)
        throw parts.error('SIGN_IN_FAILED', { name, why: 'this attempt is unknown, was used, or is more than 10 minutes old' });
      if (answer === undefined) throw parts.error('SIGN_IN_FAILED', { name, why: 'the server refused the sign-in' });
      try {
        await one.signIn.finish(one.url, attempt, answer);
        await one.server.refresh();
      } catch (fault) {
        throw parts.error('SIGN_IN_FAILED', { name, why: whyOf(fault) }, fault);
      }
    },
    find: (name) => held.get(name)?.server,
    all: () => [...held.values()].map(({ server }) => server),
    list: () => [...held.values()].map(({ server }) => server.connection()),
    async end() {
      await queue.idle();
      await Promise.all([...held.values()].map(({ server }) => server.end()));
      held.clear();
    },
  };
}
