// Starts a real server with the heartbeat on a test clock, and a scripted model that separates heartbeats from turns.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TurnEnd } from 'agent-harness/plugins/agent';
import type { Job } from 'agent-harness/plugins/schedule';
import * as heartbeat from '../../../../builtins/background/heartbeat/index.ts';
import { type Harness, type HarnessOptions, startHarness } from '../../../helpers/harness.ts';
import { type Script, type ScriptedModel, type ScriptedReply, type ScriptedRequest, startScriptedModel } from '../../../helpers/scripted-model.ts';

export interface TestClock {
  now: number;
  up: number;
  pass(ms: number): void;
}

export interface BeatWorld {
  readonly harness: Harness;
  readonly model: ScriptedModel;
  readonly clock: TestClock;
  readonly chatId: string;
  readonly events: { readonly kind: string; readonly payload: any }[];
  say(text: string, chatId?: string): Promise<TurnEnd | undefined>;
  /** Runs the idle job, as the scheduler does after a time without turns. A new turn aborts it. Resolves at the end of the run. */
  quiet(): Promise<void>;
  /** {@link quiet} after the minimum interval. */
  beat(): Promise<void>;
  asked(): ScriptedRequest[];
  view(chatId?: string): Promise<any>;
  lines(): Promise<any[]>;
  announcements(): Promise<any[]>;
  close(options?: { readonly keepFiles?: boolean }): Promise<void>;
}

export const isBeat = ({ body }: Pick<ScriptedRequest, 'body'>): boolean => String(body.messages[0]?.content).startsWith('You review the last exchange');
/** The reply of the model to each heartbeat. */
export const beats = (answer: unknown, more: Partial<ScriptedReply> = {}): ScriptedReply => ({
  ...{ when: isBeat, always: true, text: typeof answer === 'string' ? answer : JSON.stringify(answer) },
  ...more,
});
export const thought = (nudge: unknown = null, more: object = {}): object => ({
  reflections: ['They deploy on Fridays.'],
  memoryCandidates: [],
  nudge,
  ...more,
});
export const sure = { text: 'Nobody reviews it yet.', confidence: 0.93 };
const plain: ScriptedReply = { when: (request) => !isBeat(request), always: true, text: 'It deploys on Friday.' };

export interface BeatWorldOptions extends HarnessOptions {
  readonly script?: Script;
  readonly clock?: TestClock;
  readonly wire?: Readonly<Record<string, string>>;
}

export function createTestClock(): TestClock & { readonly after: (ms: number, work: () => void) => () => void } {
  const timers = new Set<{ readonly at: number; readonly work: () => void }>();
  const clock = {
    ...{ now: Date.UTC(2026, 10, 22, 12), up: 1_000_000 },
    after(ms: number, work: () => void) {
      const timer = { at: clock.up + ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass(ms: number) {
      clock.now += ms;
      clock.up += ms;
      for (const timer of [...timers]) if (timer.at <= clock.up && timers.delete(timer)) timer.work();
    },
  };
  return clock;
}

/** The caller must close it. */
export async function startBeats({ script = [beats(thought(sure))], clock: given, ...options }: BeatWorldOptions = {}): Promise<BeatWorld> {
  const clock = (given ?? createTestClock()) as ReturnType<typeof createTestClock>;
  const model = await startScriptedModel(typeof script === 'function' ? script : [...script, plain]);
  const jobs: Job[] = [];
  const timed = {
    manifest: heartbeat.manifest,
    register(registry: any, emitter: any) {
      const add = (point: string, item: any): unknown => (point === 'job' ? jobs.push(item) : registry.add(point, item));
      const own = new Proxy(registry, { get: (target, key) => (key === 'add' ? add : bound(target, key)) });
      heartbeat.register(own, emitter, { now: () => clock.now, up: () => clock.up, after: clock.after });
    },
  };
  const harness = await startHarness({
    ...options,
    builtins: ['model-chat-completions', 'model-demo', 'plan', 'budgets', ...(options.builtins ?? [])],
    modules: { ...options.modules, heartbeat: timed as never },
    environment: { ...model.environment, AGENT_HEARTBEAT: '1', ...options.environment },
  });
  const { kernel } = harness;
  const started = await kernel.control.start();
  const { chatId } = await kernel.resolve('chats').active();
  const events: BeatWorld['events'] = [];
  for (const kind of ['heartbeat_scheduled', 'heartbeat_started', 'heartbeat_completed', 'heartbeat_skipped', 'heartbeat_changed', 'usage', 'error'] as const)
    kernel.emitter.on(kind, (payload) => events.push({ kind, payload }));
  const turns = kernel.resolve('turns');
  const over = new Set<string>();
  const waits = new Set<() => void>();
  const noteTurnEnd = (turnId: string): void => {
    over.add(turnId);
    for (const look of [...waits]) look();
  };
  kernel.emitter.tap('turn.after', (turn) => noteTurnEnd(turn.turnId), { order: 'post' });
  const turnEnded = (turnId: string): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (over.has(turnId) && waits.delete(look) && resolve());
      waits.add(look);
      look();
    });

  async function quiet(): Promise<void> {
    const turn = new AbortController();
    const leave = kernel.emitter.on('turn_start', () => turn.abort());
    for (const job of jobs) await job.run({ signal: turn.signal, dueAt: clock.now });
    await leave.dispose();
  }

  return {
    ...{ harness, model, clock, chatId, events, quiet },
    async say(text, to = chatId) {
      const { turnId } = await turns.submit({ text, chatId: to });
      await turnEnded(turnId);
      return turns.ended(turnId);
    },
    async beat() {
      clock.pass(3_600_000);
      await quiet();
    },
    asked: () => model.requests.filter(isBeat),
    view: async (of = chatId) => (await harness.call('GET', `/api/heartbeat?chatId=${of}`)).body,
    async lines() {
      const text = await readFile(join(harness.workspace, '.agent_heartbeat.jsonl'), 'utf8').catch(() => '');
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    },
    async announcements() {
      const { entries } = await kernel.resolve('chats').transcript(chatId);
      return entries.filter(({ kind }) => kind === 'announcement');
    },
    async close(closing) {
      await started.dispose();
      await harness.close(closing);
      await model.close();
    },
  };
}

function bound(target: any, key: string | symbol): unknown {
  const found = target[key];
  return typeof found === 'function' ? found.bind(target) : found;
}
