// The real storage, tools and policy plugins with small fakes of chats, event log, turns and routes.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, loadPlugins, type Emitter, type Kernel, type LoadReport, type PluginModule, type Registry } from 'agent-harness/kernel';
import type { Denial, ToolCall, Turn } from 'agent-harness/plugins/agent';
import type { ChatMode } from 'agent-harness/plugins/chats';
import type { PendingApproval } from 'agent-harness/plugins/policy';
import type { Grant, Tool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { fakeTurn, startTool } from '../../../helpers/run-tool.ts';
import * as patterns from '../../../../plugins/patterns/index.ts';
import * as policy from '../../../../plugins/policy/index.ts';
import * as storage from '../../../../plugins/storage/index.ts';
import * as tools from '../../../../plugins/tools/index.ts';
import { configOf } from '../../../helpers/config-of.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';

type Modules = Record<string, PluginModule<never>>;

export interface World {
  readonly kernel: Kernel;
  readonly report: LoadReport;
  readonly home: string;
  readonly chatId: string;
  readonly events: { readonly kind: string; readonly payload: any }[];
  readonly waits: string[];
  readonly control: { flush: () => Promise<void>; activeId: string | undefined; mode: ChatMode };
  call(key: string, parts?: { query?: object; body?: object; params?: object; reply?: object }): Promise<any>;
  turn(changes?: Partial<Turn>): Turn;
  toolCall(name: string, args?: Record<string, unknown>, changes?: Partial<ToolCall>): ToolCall;
  authorize(call: ToolCall): Promise<Grant | Denial>;
  /** Returns `undefined` for an allowed call. */
  guard(call: ToolCall): Promise<Denial | undefined>;
  /** Runs through the gate and approves the call if needed. */
  run(name: string, args?: Record<string, unknown>, context?: Partial<ToolContext>): Promise<ToolOutcome>;
  /** Like `run`; resolves when the tool starts. */
  start(name: string, args?: Record<string, unknown>, context?: Partial<ToolContext>): Promise<{ running: Promise<ToolOutcome> }>;
  asked(guarded: Promise<unknown>): Promise<PendingApproval | undefined>;
  seen(kind: string): Promise<any>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly tools?: readonly Tool[];
  readonly environment?: Record<string, string>;
  readonly modules?: Modules;
}

/** The caller closes it. */
export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const home = await mkdtemp(join(tmpdir(), 'tools-'));
  const routes = new Map<string, any>();
  const waits: string[] = [];
  const control: World['control'] = { flush: async () => undefined, activeId: undefined, mode: 'ask' };
  const kernel = createKernel({
    config: configOf({ environment: options.environment ?? {} }),
    services: { product: { name: 'app', title: 'App', version: '1', home, startFolder: home } },
    log: () => undefined,
  });
  const notFound = Object.assign(new Error('There is no such chat.'), { code: 'CHATS_ERR_NOT_FOUND', status: 404 });

  const platform = {
    manifest: { name: 'fake-platform', requires: ['storage'], provides: ['chats', 'eventLog'] },
    register(registry: Registry<any>, emitter: Emitter) {
      const get = async (id?: string): Promise<{ chatId: string; mode: string }> => {
        const chatId = id ?? control.activeId;
        if (chatId === undefined || !kernel.resolve('storage').isId('chat', chatId)) throw notFound;
        return { chatId, mode: control.mode };
      };
      const folder = (id: string): string => join(home, 'chats', id);
      registry.provide('chats' as never, (() => ({ get, peek: get, active: get, folder, get activeId() { return control.activeId; } })) as never); // prettier-ignore
      registry.provide('eventLog' as never, (() => ({ flushed: () => control.flush() })) as never);
      registry.point('route', { added: (route) => void routes.set(route.key, route), removed: (route) => void routes.delete(route.key) });
      registry.point('slash_command', { added: () => undefined, removed: () => undefined });
      registry.point('wire_event', { added: () => undefined, removed: () => undefined });
      emitter.hook('prompt.build', 'waterfall');
      emitter.hook('model.request', 'waterfall');
      emitter.hook('tool.after', 'waterfall');
      emitter.hook('session.reset', 'series');
      emitter.hook('chat.close', 'series');
    },
  };
  const contributed = {
    manifest: { name: 'kit' },
    register: (registry: Registry<any>) => options.tools?.forEach((tool) => registry.add('tool', tool)),
  };
  const events: { kind: string; payload: any; isSeen?: boolean }[] = [];
  for (const kind of ['tool_approval', 'approval_decision', 'ask_user', 'ask_user_answered', 'error'] as const) {
    kernel.emitter.on(kind, (payload: unknown) => void events.push({ kind, payload }));
  }
  const report = await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [
      { origin: 'platform', modules: { storage, patterns, tools, policy, 'fake-platform': platform } as unknown as Modules },
      { origin: 'user', modules: { kit: contributed, ...options.modules } as unknown as Modules },
    ],
  });
  const chatId = kernel.resolve('storage').createId('chat');
  control.activeId = chatId;

  const world: World = {
    kernel,
    report,
    home,
    chatId,
    events,
    waits,
    control,
    call: async (key, parts = {}) => routes.get(key).handle({ query: {}, params: {}, body: {}, ...parts }),
    turn: (changes = {}) =>
      fakeTurn({ turnId: kernel.resolve('storage').createId('turn'), chatId, workspaceRoot: home, waiting: waitingIn(waits), ...changes }),
    toolCall(name, args = {}, changes = {}) {
      const tool = kernel.resolve('tools').find(name);
      if (!tool) throw new Error(`no tool ${name}`);
      return { callId: kernel.resolve('storage').createId('call'), tool, args, turn: world.turn(), ...changes };
    },
    authorize: (call) => kernel.resolve('gate').authorize(call),
    async guard(call) {
      const answer = await world.authorize(call);
      return 'deny' in answer ? answer : undefined;
    },
    run: async (name, args, context) => (await world.start(name, args, context)).running,
    start: (name, args = {}, context = {}) =>
      startTool(kernel, kernel.resolve('tools').checkArgs(name, args), { chatId, turnId: 'turn', callId: 'call', workspaceRoot: home, ...context }),
    async asked(guarded) {
      let isOver = false;
      const watch = (): void => void (isOver = true);
      guarded.then(watch, watch);
      for (;;) {
        const [approval] = kernel.resolve('approvals').pending().approvals;
        if (approval || isOver) return approval;
        await new Promise(setImmediate);
      }
    },
    async seen(kind) {
      for (;;) {
        const found = events.find((event) => event.kind === kind && !event.isSeen);
        if (found) {
          found.isSeen = true;
          return found.payload;
        }
        await new Promise(setImmediate);
      }
    },
    async close() {
      await kernel.close();
      await rm(home, { recursive: true, force: true });
    },
  };
  closeAfterTest(() => world.close());
  return world;
}

/** Records the start and end of a wait. */
export const waitingIn =
  (waits: string[]) =>
  (waitingFor: string): (() => void) => {
    waits.push(waitingFor);
    return () => void waits.push(`${waitingFor} over`);
  };

export function fakeTool(name: string, changes: Partial<Tool> = {}): Tool {
  const code = changes.load ? {} : { run: () => `${name} ran` };
  return { name, description: `Does ${name}.`, input: { type: 'object', additionalProperties: true, properties: {} }, effects: ['read'], ...code, ...changes };
}
