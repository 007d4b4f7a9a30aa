// A kernel with storage, chats and a plugin that owns the turn events.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, loadPlugins } from 'agent-harness/kernel';
import type { Emitter, Kernel, PluginModule } from 'agent-harness/kernel';
import type { Chats, EventLog } from 'agent-harness/plugins/chats';
import type { Job } from 'agent-harness/plugins/schedule';
import * as Type from 'typebox';
import { takeSections } from '../../../helpers/take-sections.ts';
import * as chatsPlugin from '../../../../plugins/chats/index.ts';
import * as exactFilesPlugin from '../../../../plugins/exact-files/index.ts';
import * as storagePlugin from '../../../../plugins/storage/index.ts';
import { configOf } from '../../../helpers/config-of.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';

export interface OpenedChats {
  readonly kernel: Kernel;
  readonly home: string;
  readonly work: string;
  readonly chats: Chats;
  readonly log: EventLog;
  readonly errors: { code: string; message: string; source: string; chatId?: string }[];
  readonly logs: string[];
  readonly emit: (event: string, payload: object) => void;
  readonly emitter: Emitter;
  /** Fields that the plugin adds to a route reply. */
  readonly section: (route: string) => Promise<object>;
  readonly jobs: readonly Job[];
  close(): Promise<readonly unknown[]>;
}

const journaled = [
  ...['message_accepted', 'turn_start', 'text', 'tool_start', 'tool_result', 'turn_end', 'usage', 'provider_retry', 'tool_approval', 'approval_decision'],
];

/** The caller closes it; a home that was not passed in is deleted then. */
export async function openChats(options: { home?: string; work?: string; environment?: Record<string, string> } = {}): Promise<OpenedChats> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'chats-home-')));
  const work = options.work ?? (await mkdtemp(join(tmpdir(), 'chats-work-')));
  const logs: string[] = [];
  const errors: OpenedChats['errors'] = [];
  const jobs: Job[] = [];
  let emitter: Emitter | undefined;
  let sections: OpenedChats['section'] | undefined;
  const turns = {
    manifest: { name: 'turns', events: [...journaled, 'tool_progress'] },
    register(registry: any, given: Emitter) {
      emitter = given;
      for (const name of [...journaled, 'error'])
        registry.add('wire_event', { name, description: 'For this test.', permission: 'chats.read', schema: Type.Object({}) });
      registry.add('wire_event', { name: 'tool_progress', description: 'For this test.', permission: 'chats.read', schema: Type.Object({}), keep: 'live' });
      sections = takeSections(registry);
      registry.point('job', { added: (job: Job) => void jobs.push(job), removed: () => undefined });
      given.on('error', (error) => void errors.push(error));
    },
  } as unknown as PluginModule<never>;
  const kernel = createKernel({
    config: configOf({ environment: options.environment ?? {} }),
    services: { product: { name: 'app', title: 'App', version: '1.0.0', home, startFolder: work } },
    log: (level, plugin, message) => logs.push(`${level} ${plugin}: ${message}`),
  });
  const platform = { storage: storagePlugin, 'exact-files': exactFilesPlugin, chats: chatsPlugin } as unknown as Record<string, PluginModule<never>>;
  const report = await loadPlugins(kernel.registry, kernel.emitter, { sources: [{ origin: 'platform', modules: { turns, ...platform } }] });
  const broken = report.plugins.find((row) => row.state !== 'active');
  if (broken || !emitter || !sections) throw new Error(`${broken?.name}: ${broken?.reason}`);
  const ofTurns = emitter;
  const opened: OpenedChats = {
    kernel,
    home,
    work,
    logs,
    errors,
    jobs,
    emitter: ofTurns,
    section: sections,
    chats: kernel.resolve('chats'),
    log: kernel.resolve('eventLog'),
    emit: (event, payload) => ofTurns.emit(event as 'error', payload as never),
    async close() {
      const faults = await kernel.close();
      if (!options.home) await rm(home, { recursive: true, force: true });
      if (!options.work) await rm(work, { recursive: true, force: true });
      return faults;
    },
  };
  closeAfterTest(() => opened.close());
  return opened;
}

export function emitTurn(
  { emit }: Pick<OpenedChats, 'emit'>,
  chatId: string,
  number: number,
  words: readonly string[] = ['Hello', ' there'],
): { turnId: string; messageId: string } {
  const turnId = `turn_${String(number).padStart(26, '0')}`;
  const messageId = `msg_${number}_reply`;
  emit('message_accepted', { chatId, turnId, messageId: `msg_${number}`, text: `Question ${number}`, attachments: [] });
  emit('turn_start', { chatId, turnId, messageId: `msg_${number}`, model: 'm' });
  let offset = 0;
  for (const delta of words) {
    emit('text', { chatId, turnId, messageId, offset, delta, channel: 'user' });
    offset += delta.length;
  }
  emit('turn_end', { chatId, turnId, reason: 'done', durationMs: 1, rounds: 1, tools: 0, usage: { input: 1, output: 1, cached: 0 } });
  return { turnId, messageId };
}
