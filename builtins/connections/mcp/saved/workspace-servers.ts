// Manages the servers of workspaces: starts them once trusted, only for chats in that workspace, and removes them when trust is revoked or the file changes.
import { join } from 'node:path';
import { createSerialQueue } from '#lib/async';
import { fileStamp } from '#lib/files';
import type { Connection } from 'agent-harness/plugins/connections';
import { whyOf } from '../server/foreign-text.ts';
import type { McpParts } from '../mcp-parts.ts';
import { createMcpServer, type McpServer } from '../server/mcp-server.ts';
import type { ServerOffer } from '../server/offer.ts';
import { hashOf } from '../server/tool-names.ts';
import type { ServerSpec } from './server-spec.ts';
import { readWorkspaceFile, subjectName, type WorkspaceFile } from './workspace-file.ts';

export interface WorkspaceServers {
  /** Makes a folder's servers available in every chat. */
  share(root: string): Promise<void>;
  /** Removes a folder's shared servers. */
  unshare(root: string): Promise<void>;
  /** Detects changes to a workspace's file at low cost. Starts only trusted servers. Never rejects. */
  look(workspaceRoot: string): Promise<void>;
  /** Rechecks a workspace after the user's decision. */
  decided(workspaceRoot: string): Promise<void>;
  of(workspaceRoot: string): readonly McpServer[];
  all(): readonly McpServer[];
  list(): Connection[];
  end(): Promise<void>;
}

interface Place {
  /** Stamp of the file and of the files that it names, at the last check. */
  readonly stamp: string;
  readonly file: WorkspaceFile | undefined;
  readonly isTrusted: boolean;
  readonly servers: readonly McpServer[];
}

interface RememberedOffers {
  readonly digest: string;
  readonly offers: Readonly<Record<string, ServerOffer>>;
}

const section = 'mcp_workspaces';

export function createWorkspaceServers(parts: McpParts, onChange: () => void): WorkspaceServers {
  const { trust, connectionStore: store } = parts.services;
  const places = new Map<string, Place>();
  const shared = new Set<string>();
  const queue = createSerialQueue();
  let hasEnded = false;

  function inTurn(work: () => Promise<void>): Promise<void> {
    return queue.run(work).catch((fault: unknown) => parts.warn(`the MCP servers of a workspace cannot be read: ${whyOf(fault)}`));
  }

  async function visit(root: string, isForced: boolean): Promise<void> {
    const known = places.get(root);
    if (hasEnded || (!isForced && !hasChanged(root, known))) return;
    const before = entryStamp(root);
    const file = before === '' ? undefined : await readWorkspaceFile(root);
    const stamp = before + stampsOf(file?.files ?? []);
    const isTrusted = file !== undefined && file.servers.size > 0 && trust !== undefined && (await trust.isTrusted(root, subjectName, file.digest));
    if (known?.isTrusted === isTrusted && known.file?.digest === file?.digest) {
      // Also updates the omitted entries.
      places.set(root, { ...known, file, stamp });
      return;
    }
    await Promise.all((known?.servers ?? []).map((server) => server.end()));
    if (file === undefined) places.delete(root);
    else places.set(root, { stamp, file, isTrusted, servers: isTrusted ? await open(root, file) : [] });
    notifyAll(root, known, places.get(root));
    onChange();
  }

  async function open(root: string, file: WorkspaceFile): Promise<McpServer[]> {
    const key = `w${hashOf(root)}`;
    const kept = (await store.entries<RememberedOffers>(section))[key];
    const known = kept?.digest === file.digest ? kept.offers : {};
    return [...file.servers].map(([name, spec]) => {
      const server = createMcpServer(
        {
          name,
          label: labelOf(name, root),
          family: `mcp-${name}-${hashOf(root)}`,
          spec: () => stillTrusted(root, name, spec, file.digest),
          ...(shared.has(root) ? {} : { onlyIn: root }),
          async remember(offer) {
            await store.update<RememberedOffers>(section, key, (current) => {
              const offers = current?.digest === file.digest ? current.offers : {};
              return { digest: file.digest, offers: { ...offers, [name]: offer } };
            });
            onChange();
          },
        },
        parts,
      );
      const offer = known[name];
      if (offer) server.declare(offer);
      // Connects in the background while the turn continues.
      else server.refresh().catch((fault: unknown) => parts.warn(`the MCP server '${name}' of ${root} cannot be reached: ${whyOf(fault)}`));
      return server;
    });
  }

  /** Rechecks the trust right before the start. */
  async function stillTrusted(root: string, name: string, spec: ServerSpec, digest: string): Promise<ServerSpec> {
    const now = await readWorkspaceFile(root);
    if (now?.digest === digest) return spec;
    void inTurn(() => visit(root, true));
    throw new Error(`the program or files of '${name}' changed since they were trusted; review them, and trust the server again`);
  }

  function notifyAll(root: string, before: Place | undefined, now: Place | undefined): void {
    for (const name of before?.file?.servers.keys() ?? []) if (!now?.file?.servers.has(name)) parts.changed(labelOf(name, root), 'removed');
    for (const name of now?.file?.servers.keys() ?? []) if (now?.isTrusted !== true) parts.changed(labelOf(name, root), 'needs_trust');
  }

  return {
    share(root) {
      shared.add(root);
      return inTurn(() => visit(root, true));
    },
    unshare(root) {
      shared.delete(root);
      return inTurn(async () => {
        const known = places.get(root);
        places.delete(root);
        await Promise.all((known?.servers ?? []).map((server) => server.end()));
        onChange();
      });
    },
    async look(workspaceRoot) {
      if (!hasChanged(workspaceRoot, places.get(workspaceRoot))) return;
      await inTurn(() => visit(workspaceRoot, false));
    },
    decided: (workspaceRoot) => inTurn(() => visit(workspaceRoot, true)),
    of: (workspaceRoot) => [...new Set([workspaceRoot, ...shared])].flatMap((root) => places.get(root)?.servers ?? []),
    all: () => [...places.values()].flatMap(({ servers }) => servers),
    list: () => [...places].flatMap(([root, place]) => rowsOf(root, place)),
    async end() {
      hasEnded = true;
      await queue.idle();
      await Promise.all([...places.values()].flatMap(({ servers }) => servers.map((server) => server.end())));
      places.clear();
    },
  };
}

function rowsOf(root: string, { file, isTrusted, servers }: Place): Connection[] {
  const row = { kind: 'mcp' as const, toolCount: 0 };
  const omitted = (file?.omitted ?? []).map(({ name, why }) => ({ ...row, name: labelOf(name, root), status: 'failed' as const, error: `Not used: ${why}` }));
  if (isTrusted) return [...servers.map((server) => server.connection()), ...omitted];
  return [...[...(file?.servers.keys() ?? [])].map((name) => ({ ...row, name: labelOf(name, root), status: 'needs_trust' as const })), ...omitted];
}

/** Returns the name with its workspace, because servers of several workspaces can have the same name. */
function labelOf(name: string, root: string): string {
  return `${name} (${root})`;
}

/** Returns whether the file has changed. Synchronous, because it runs before each turn. */
function hasChanged(root: string, known: Place | undefined): boolean {
  return entryStamp(root) + stampsOf(known?.file?.files ?? []) !== (known?.stamp ?? '');
}

/** Returns a stamp that changes when the file changes; empty if the file is missing. */
function entryStamp(root: string): string {
  return fileStamp(join(root, '.mcp.json'));
}

function stampsOf(paths: readonly string[]): string {
  return paths.map((path) => `\n${fileStamp(path)}`).join('');
}
