// A harness with a scripted model and a test plugin that counts unhandled faults.
import { afterEach, beforeEach, expect } from 'vitest';
import type { Emitter, PluginModule } from 'agent-harness/kernel';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import { type EventStream, openEventStream, type StreamEvent } from '../../../helpers/event-stream.ts';
import { type Harness, type HarnessOptions, startHarness } from '../../../helpers/harness.ts';
import { type ScriptedModel, startScriptedModel } from '../../../helpers/scripted-model.ts';

export interface AgentBench extends Harness {
  readonly model: ScriptedModel;
  readonly stream: EventStream;
  readonly emitter: Emitter;
  send(text: string, more?: object): Promise<{ status: number; body: any }>;
  /** `ms`: duration of the abort, excluding time in which a busy machine did not schedule this process. */
  abort(): Promise<{ status: number; body: any; ms: number }>;
  ended(turnId: string): Promise<StreamEvent>;
  idle(): Promise<void>;
  journal(chatId?: string): Promise<JournalEvent[]>;
  said(index: number): any[];
}

export interface OwnTool {
  readonly name: string;
  readonly [field: string]: unknown;
}

const tickMs = 10;

/** Sets up before each test, tears down after it, and expects no leftovers. */
export function useAgentBench(
  open: (register: (registry: any, emitter: Emitter) => void) => HarnessOptions = () => ({}),
): (register?: (registry: any, emitter: Emitter) => void, more?: HarnessOptions) => Promise<AgentBench> {
  const rejections: unknown[] = [];
  const onRejection = (fault: unknown): void => void rejections.push(fault);
  const opened: AgentBench[] = [];
  beforeEach(() => void process.on('unhandledRejection', onRejection));
  afterEach(async () => {
    for (const bench of opened.splice(0)) {
      bench.stream.close();
      expect(await bench.close()).toEqual([]);
      await bench.model.close();
    }
    await new Promise(setImmediate);
    process.removeListener('unhandledRejection', onRejection);
    expect(rejections.splice(0)).toEqual([]);
  });
  return async (register = () => undefined, more = {}) => {
    const bench = await openBench(register, { ...open(register), ...more });
    opened.push(bench);
    return bench;
  };
}

async function openBench(register: (registry: any, emitter: Emitter) => void, options: HarnessOptions): Promise<AgentBench> {
  const model = await startScriptedModel([]);
  let own: Emitter | undefined;
  const plugin = {
    manifest: { name: 'own' },
    register(registry: unknown, emitter: Emitter) {
      own = emitter;
      register(registry, emitter);
    },
  } as unknown as PluginModule<never>;
  const harness = await startHarness({
    builtins: ['model-chat-completions', 'ask-user', 'checkpoints'],
    ...options,
    environment: { ...model.environment, ...options.environment },
    modules: { own: plugin, ...options.modules },
  });
  const stream = await openEventStream(harness, { chatId: 'all' });
  const turns = harness.kernel.resolve('turns');
  return {
    ...harness,
    model,
    stream,
    get emitter() {
      if (!own) throw new Error('the own plugin did not register');
      return own;
    },
    send: (text, more = {}) => harness.call('POST', '/api/message', { text, ...more }),
    async abort() {
      let ms = 0;
      const ticks = setInterval(() => (ms += tickMs), tickMs);
      const reply = await harness.call('POST', '/api/session/abort', {});
      clearInterval(ticks);
      return { ...reply, ms };
    },
    ended: (turnId) => stream.until((event) => event.kind === 'turn_end' && event['turnId'] === turnId),
    async idle() {
      while (turns.isBusy()) await new Promise(setImmediate);
    },
    async journal(chatId) {
      const id = chatId ?? (await harness.kernel.resolve('chats').active()).chatId;
      const events: JournalEvent[] = [];
      for await (const event of harness.kernel.resolve('eventLog').read(id)) events.push(event);
      return events;
    },
    said: (index) => model.requests[index]?.body.messages.filter((message: any) => message.role !== 'system') ?? [],
  };
}

/** A visible tool with an open schema and the given implementation. */
export function ownTool(name: string, run: (args: any, context: any) => unknown, more: object = {}): OwnTool {
  return { name, description: name, input: { type: 'object', properties: {}, additionalProperties: true }, effects: ['read'], isEveryday: true, run, ...more };
}

export const addTools =
  (...tools: readonly OwnTool[]) =>
  (registry: any): void => {
    for (const tool of tools) registry.add('tool', tool);
  };

export function createGate<T = void>(): { readonly opened: Promise<T>; open(value: T): void } {
  let open = (_: T): void => undefined;
  const opened = new Promise<T>((resolve) => (open = resolve));
  return { opened, open: (value) => open(value) };
}

export const kindsOf = (events: readonly { kind: string; turnId?: unknown }[], turnId: string): string[] =>
  events.filter((event) => event.turnId === turnId).map((event) => event.kind);
