// Manages OpenAPI connections: creates them from documents, stores them, declares their tools, and removes them.
import { join } from 'node:path';
import type { ChildScope, Logger } from 'agent-harness/kernel';
import type { WorkspaceFiles } from 'agent-harness/builtins/tools/files';
import { createSerialQueue } from '#lib/async';
import { messageOf } from '#lib/errors';
import { yieldToEventLoop } from '#lib/event-loop';
import { sha256 } from '#lib/hash';
import { textStart } from '#lib/text';
import type { Connection, ConnectionStore } from 'agent-harness/plugins/connections';
import type { Product, Storage } from 'agent-harness/plugins/storage';
import type { Tools } from 'agent-harness/plugins/tools';
import type { Compiled, ConnectRequest } from './connect.ts';
import { sealAuth, type ProviderTokens } from './credentials.ts';
import { declareFamilies } from './declare-tools.ts';
import { connectionName, section, type Entry } from './entry.ts';
import { snakeCase } from './operation-names.ts';
import { openTable, type OpenedTable } from './table-file.ts';

export interface Connected {
  readonly baseUrl: string;
  readonly toolCount: number;
  /** The first 200 tools. */
  readonly tools: readonly { readonly name: string; readonly description: string }[];
}

export interface ConnectionParts {
  readonly services: { readonly connectionStore: ConnectionStore; readonly product: Product; readonly storage: Storage; readonly tools: Tools };
  readonly tokens: () => ProviderTokens | undefined;
  readonly files: () => WorkspaceFiles | undefined;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Creates the child scope of one connection. */
  readonly child: (label: string) => ChildScope;
  readonly announce: (name: string, status: string) => Promise<void>;
  readonly makeError: (reason: 'NAME_TAKEN' | 'NOT_FOUND', details: Readonly<Record<string, unknown>>) => Error;
  /** Reads and compiles a document; rejects with an error for the client. */
  readonly compile: (request: ConnectRequest, signal: AbortSignal, taken: readonly string[]) => Promise<Compiled>;
  /** Compiles the saved document if its table is missing or has another format. */
  readonly recompile: (name: string, entry: Entry, documentPath: string, taken: readonly string[], signal: AbortSignal) => Promise<Uint8Array | undefined>;
}

export interface Connections {
  connect(request: ConnectRequest, signal: AbortSignal): Promise<Connected>;
  disconnect(name: string): Promise<void>;
  list(): Promise<readonly Connection[]>;
  /** Declares the tools of all saved connections once. */
  restored(): Promise<void>;
}

interface Live {
  readonly entry: Entry;
  /** Scope of the tool families; omitted if there are no tools. */
  readonly part?: ChildScope;
  /** Tool names of the operations. */
  readonly names: ReadonlySet<string>;
  readonly error?: string;
}

const answeredTools = 200;

/** Creates the manager. It needs no disposal, because the tool families belong to child scopes of the plugin. */
export function createConnections(parts: ConnectionParts): Connections {
  const { services, tokens, files, signal } = parts;
  const folder = join(services.product.home, 'openapi');
  const live = new Map<string, Live>();
  let restoring: Promise<void> | undefined;
  const queue = createSerialQueue();

  /** Declares the tools. Yields to the event loop between families, because a thousand tools take tens of milliseconds. */
  async function declare(name: string, entry: Entry, table: OpenedTable): Promise<ChildScope> {
    const userAgent = `${services.product.name}/${services.product.version}`;
    const part = parts.child(`connection ${name}`);
    try {
      for (const family of declareFamilies({ name, entry, table, store: services.connectionStore, tokens, files, userAgent })) {
        await yieldToEventLoop();
        part.add('tool_family', family);
      }
      return part;
    } catch (fault) {
      await part.dispose();
      throw fault;
    }
  }

  /** Returns the names that tools of other owners already use with the connection's prefix. */
  function takenNames(name: string, own?: ReadonlySet<string>): string[] {
    const prefix = `${snakeCase(name)}_`;
    return services.tools.list().flatMap((tool) => (tool.name.startsWith(prefix) && own?.has(tool.name) !== true ? [tool.name] : []));
  }

  async function undeclare(name: string): Promise<void> {
    await live.get(name)?.part?.dispose();
    live.delete(name);
  }

  async function restoreAll(): Promise<void> {
    const entries = Object.entries(await services.connectionStore.entries<Entry>(section));
    for (const [name, entry] of entries) {
      if (signal.aborted) return;
      if (!connectionName.test(name) || !isEntry(entry)) parts.log.warn(`the saved connection '${textStart(name, 40)}' cannot be read and is left unchanged`);
      else await restoreOne(name, entry);
    }
  }

  async function restoreOne(name: string, entry: Entry): Promise<void> {
    try {
      const table = (await openTable(join(folder, entry.table))) ?? (await remakeTable(name, entry));
      if (signal.aborted) return;
      const part = table && (await declare(name, entry, table));
      live.set(name, part ? { entry, part, names: namesOf(table) } : { entry, names: new Set(), error: 'Its saved operations are missing. Connect it again.' });
    } catch (fault) {
      if (signal.aborted) return;
      live.set(name, { entry, names: new Set(), error: messageOf(fault) });
    }
    const { error } = live.get(name) ?? {};
    if (error !== undefined) parts.log.warn(`the connection ${name} has no tools: ${error}`);
  }

  async function remakeTable(name: string, entry: Entry): Promise<OpenedTable | undefined> {
    const packed = await parts.recompile(name, entry, join(folder, `${name}.json`), takenNames(name), signal);
    if (!packed) return undefined;
    await services.storage.writeFile(join(folder, entry.table), packed);
    return openTable(join(folder, entry.table));
  }

  async function connectNow(request: ConnectRequest, compiled: Compiled): Promise<Connected> {
    const { name } = request;
    const { packed } = compiled;
    const entry = await entryFor(request, compiled, tableName(name, packed));
    const path = join(folder, entry.table);
    await services.storage.writeFile(path, packed);
    const table = await openTable(path);
    if (!table) throw new Error(`the table of ${name} cannot be read after writing`);
    const before = live.get(name);
    const takeBack = async (): Promise<void> => {
      await undeclare(name);
      if (before?.entry.table !== entry.table) await services.storage.remove(path);
      if (before) await restoreOne(name, before.entry);
    };
    await undeclare(name);
    try {
      live.set(name, { entry, part: await declare(name, entry, table), names: namesOf(table) });
    } catch (fault) {
      await takeBack();
      throw parts.makeError('NAME_TAKEN', { name, why: messageOf(fault) });
    }
    const sourcePath = join(folder, `${name}.json`);
    const sourceBefore = await services.storage.readText(sourcePath);
    try {
      // The entry is written last, because it makes the connection available after a restart.
      await services.storage.writeFile(sourcePath, compiled.source);
      await services.connectionStore.update<Entry>(section, name, () => entry);
    } catch (fault) {
      await (sourceBefore === undefined ? services.storage.remove(sourcePath) : services.storage.writeFile(sourcePath, sourceBefore)).catch(() => undefined);
      await takeBack();
      throw fault;
    }
    if (before && before.entry.table !== entry.table) await services.storage.remove(join(folder, before.entry.table));
    await parts.announce(name, 'connected');
    const tools = table.rows
      .slice(0, answeredTools)
      .map((row) => ({ name: row.name, description: row.summary === '' ? `${row.method.toUpperCase()} ${row.path}` : row.summary }));
    return { baseUrl: entry.baseUrl, toolCount: entry.toolCount, tools };
  }

  async function entryFor(request: ConnectRequest, compiled: Compiled, table: string): Promise<Entry> {
    const { specUrl, autoApproveReads = true } = request;
    const auths = await Promise.all(compiled.auths.map((auth) => sealAuth(auth, services.connectionStore)));
    return {
      title: compiled.title,
      baseUrl: compiled.baseUrl,
      isPublicOnly: compiled.isPublicOnly,
      ...(specUrl === undefined ? {} : { specUrl: specUrl.split(/[?#]/, 1)[0] ?? '' }),
      ...(auths.length > 0 ? { auth: auths } : {}),
      autoApproveReads,
      toolCount: compiled.toolCount,
      table,
      connectedAt: new Date().toISOString(),
    };
  }

  const connections: Connections = {
    async connect(request, requestSignal) {
      await connections.restored();
      return queue.run(async () => {
        // Names of the connection that is being replaced count as free.
        const own = live.get(request.name)?.names;
        const compiled = await parts.compile(request, requestSignal, takenNames(request.name, own));
        requestSignal.throwIfAborted();
        return connectNow(request, compiled);
      });
    },
    async disconnect(name) {
      await connections.restored();
      return queue.run(async () => {
        const known = live.get(name);
        if (!known) throw parts.makeError('NOT_FOUND', { name });
        await services.connectionStore.update<Entry>(section, name, () => undefined);
        await undeclare(name);
        await services.storage.remove(join(folder, known.entry.table));
        await services.storage.remove(join(folder, `${name}.json`));
        await parts.announce(name, 'disconnected');
      });
    },
    async list() {
      await connections.restored();
      return [...live].map(([name, { entry, error }]): Connection => {
        return {
          name,
          kind: 'openapi',
          status: error === undefined ? 'connected' : 'failed',
          toolCount: error === undefined ? entry.toolCount : 0,
          ...(error === undefined ? {} : { error }),
        };
      });
    },
    restored: () => (restoring ??= queue.run(restoreAll)),
  };

  return connections;
}

function namesOf(table: OpenedTable): ReadonlySet<string> {
  return new Set(table.rows.map((row) => row.name));
}

function tableName(name: string, packed: Uint8Array): string {
  return `${name}.${sha256(packed).slice(0, 12)}.table`;
}

/** Returns whether an entry is valid. Users can edit entries, and entries contain file names. */
function isEntry(entry: Partial<Entry> | null): entry is Entry {
  const hasTexts = [entry?.title, entry?.baseUrl, entry?.table].every((text) => typeof text === 'string');
  return hasTexts && /^[a-z0-9_-]+\.[0-9a-f]{12}\.table$/.test(String(entry?.table)) && URL.canParse(String(entry?.baseUrl));
}
