// Manages the servers that a client such as an editor adds to one chat for the lifetime of this process.
import { sha256 } from '#lib/hash';
import { stableJson } from '#lib/values';
import type { Connection } from 'agent-harness/plugins/connections';
import { callTimeoutMs } from '../limits.ts';
import type { McpParts } from '../mcp-parts.ts';
import { whyOf } from '../server/foreign-text.ts';
import { createMcpServer, type McpServer } from '../server/mcp-server.ts';
import { findFault, findHeaderFault, normalizeHeaders, specOf, type ServerSpec } from './server-spec.ts';

/** A server as given in an HTTP request. */
export type SessionServer =
  | {
      readonly name: string;
      readonly command: string;
      readonly args?: readonly string[];
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  | { readonly name: string; readonly url: string; readonly headers?: Readonly<Record<string, string>> };

export interface SessionServersResult {
  readonly name: string;
  readonly toolCount: number;
  /** Reason if the server cannot be used. */
  readonly error?: string;
}

export interface SessionServers {
  /** Replaces the servers previously added to the chat. Resolves when all of them have been queried. Rejects with `invalid`. */
  bring(chatId: string, given: readonly SessionServer[]): Promise<SessionServersResult[]>;
  of(chatId: string): readonly McpServer[];
  all(): readonly McpServer[];
  list(): Connection[];
  end(): Promise<void>;
}

interface Held {
  readonly server: McpServer;
  readonly chats: Set<string>;
  /** Settles when the server has been queried. */
  readonly asked: Promise<unknown>;
}

/** Returns the key under which several windows of an editor share equal servers. */
const keyOf = (given: SessionServer): string => sha256(stableJson(given)).slice(0, 12);

export function createSessionServers(parts: McpParts, onChange: () => void): SessionServers {
  const held = new Map<string, Held>();

  function hold(key: string, given: SessionServer): Held {
    const chats = new Set<string>();
    const { name } = given;
    const server = createMcpServer(
      {
        name,
        label: `${name} (${key})`,
        family: `mcp-${name}-${key}`,
        spec: () => Promise.resolve(specFor(given)),
        admits: (chatId) => chats.has(chatId),
        remember: () => Promise.resolve(onChange()),
      },
      parts,
    );
    const asked = server.refresh();
    asked.catch((fault: unknown) => parts.warn(`the MCP server '${name}' of a client cannot be reached: ${whyOf(fault)}`));
    return { server, chats, asked };
  }

  async function leave(chatId: string, kept: ReadonlySet<string>): Promise<void> {
    const unused = [...held].filter(([key, { chats }]) => !kept.has(key) && chats.delete(chatId) && chats.size === 0);
    for (const [key] of unused) held.delete(key);
    await Promise.all(unused.map(([, { server }]) => server.end()));
  }

  return {
    async bring(chatId, given) {
      for (const one of given) {
        const why = faultOf(one);
        if (why !== undefined) throw parts.error('INVALID', { why: `${one.name}: ${why}` });
      }
      const keys = new Map(given.map((one) => [keyOf(one), one]));
      await leave(chatId, new Set(keys.keys()));
      const added = [...keys].map(([key, one]) => {
        const own = held.get(key) ?? hold(key, one);
        held.set(key, own);
        own.chats.add(chatId);
        return own;
      });
      const results = await Promise.all(
        added.map(async ({ server, asked }): Promise<SessionServersResult> => {
          const error = await asked.then(
            () => undefined,
            (fault: unknown) => whyOf(fault),
          );
          return { name: server.name, toolCount: server.offer.tools.length, ...(error === undefined ? {} : { error }) };
        }),
      );
      onChange();
      return results;
    },
    of: (chatId) => [...held.values()].flatMap(({ server, chats }) => (chats.has(chatId) ? [server] : [])),
    all: () => [...held.values()].map(({ server }) => server),
    list: () => [...held.values()].map(({ server }) => server.connection()),
    async end() {
      const servers = [...held.values()].map(({ server }) => server.end());
      held.clear();
      await Promise.all(servers);
    },
  };
}

function faultOf(given: SessionServer): string | undefined {
  if ('command' in given) return findFault(given);
  const bad = Object.entries(given.headers ?? {})
    .map(([name, value]) => findHeaderFault(name, value))
    .find((fault) => fault !== undefined);
  return findFault({ url: given.url }) ?? bad;
}

function specFor(given: SessionServer): ServerSpec {
  if ('command' in given) return specOf(given);
  return { kind: 'url', url: given.url, headers: normalizeHeaders(given.headers ?? {}), usesOAuth: false, timeoutMs: callTimeoutMs };
}
