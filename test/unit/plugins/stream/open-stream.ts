// A real server with chats and stream, and a plugin that emits the agent events of a test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, loadPlugins } from 'agent-harness/kernel';
import type { Emitter, Kernel, PluginModule } from 'agent-harness/kernel';
import type { ChatStatus } from 'agent-harness/plugins/agent';
import type { Chats, EventLog, WireEvent } from 'agent-harness/plugins/chats';
import * as Type from 'typebox';
import * as chatsPlugin from '../../../../plugins/chats/index.ts';
import * as httpPlugin from '../../../../plugins/http/index.ts';
import * as patternsPlugin from '../../../../plugins/patterns/index.ts';
import * as processesPlugin from '../../../../plugins/processes/index.ts';
import * as exactFilesPlugin from '../../../../plugins/exact-files/index.ts';
import * as storagePlugin from '../../../../plugins/storage/index.ts';
import * as streamPlugin from '../../../../plugins/stream/index.ts';
import { configOf } from '../../../helpers/config-of.ts';

export interface StreamRig {
  readonly kernel: Kernel;
  readonly url: string;
  readonly token: string;
  readonly home: string;
  readonly chats: Chats;
  readonly log: EventLog;
  readonly logs: string[];
  readonly statuses: Map<string, ChatStatus>;
  readonly emit: (event: string, payload: object) => void;
  readonly emitText: (chatId: string, count: number, delta?: string) => void;
  readonly declare: (event: WireEvent) => void;
  close(options?: { keepFiles?: boolean }): Promise<readonly unknown[]>;
}

const further = ['for_all', 'for_managers', 'for_owner', 'of_chat_for_owner', 'of_server_in_chat', 'unsaid'];
const journaled = ['turn_start', 'text', 'turn_end'];

/** The caller closes it. */
export async function openStreamRig(given?: { home: string }): Promise<StreamRig> {
  const home = given?.home ?? (await mkdtemp(join(tmpdir(), 'stream-home-')));
  const logs: string[] = [];
  const statuses = new Map<string, ChatStatus>();
  let emitter: Emitter | undefined;
  let declare: StreamRig['declare'] = () => undefined;
  let sent = 0;
  const turns = {
    manifest: { name: 'turns', provides: ['turns'], events: [...journaled, 'heartbeat', ...further] },
    register(registry: any, found: Emitter) {
      emitter = found;
      declare = (event) => void registry.add('wire_event', event);
      for (const name of journaled) registry.add('wire_event', { name, description: 'For this test.', permission: 'chats.read', schema: Type.Object({}) });
      registry.add('wire_event', { name: 'heartbeat', description: 'For this test.', permission: 'chats.read', schema: Type.Object({}), keep: 'live' });
      registry.add('wire_event', { name: 'error', description: 'For this test.', permission: 'chats.read', schema: Type.Object({}), keep: 'newest' });
      registry.provide('turns', () => ({ status: (id: string) => statuses.get(id) ?? { chatId: id, busy: false }, statuses: () => [...statuses.values()] }));
      registry.add('route', { key: 'GET /api/status', summary: 'For this test.', tag: 'test', takesSections: true, schema: {}, handle: () => ({}) });
    },
  };
  const kernel = createKernel({
    config: configOf({}),
    services: { product: { name: 'app', title: 'App', version: '9.9.9', home, startFolder: home } },
    log: (level, plugin, message) => logs.push(`${level} ${plugin}: ${message}`),
  });
  const modules = {
    turns,
    patterns: patternsPlugin,
    processes: processesPlugin,
    storage: storagePlugin,
    'exact-files': exactFilesPlugin,
    http: httpPlugin,
    chats: chatsPlugin,
    stream: streamPlugin,
  } as unknown as Record<string, PluginModule<never>>;
  const report = await loadPlugins(kernel.registry, kernel.emitter, { sources: [{ origin: 'platform', modules }] });
  const broken = report.plugins.find((row) => row.state !== 'active');
  if (broken || !emitter) throw new Error(`${broken?.name}: ${broken?.reason}`);
  const emit = (event: string, payload: object): void => emitter?.emit(event as 'error', payload as never);
  const http = kernel.resolve('http');
  const { url } = await http.listen({ port: 0 });
  return {
    kernel,
    url,
    token: await kernel.resolve('webToken').current(),
    home,
    chats: kernel.resolve('chats'),
    log: kernel.resolve('eventLog'),
    logs,
    statuses,
    emit,
    declare,
    emitText(chatId, count, delta = 'word ') {
      for (let index = 0; index < count; index++)
        emit('text', { chatId, turnId: 'turn_1', messageId: 'msg_1', offset: sent++ * delta.length, delta, channel: 'user' });
    },
    async close({ keepFiles = false } = {}) {
      await http.close();
      const faults = await kernel.close();
      if (!given && !keepFiles) await rm(home, { recursive: true, force: true });
      return faults;
    },
  };
}
