// Runs the heartbeat on the real scheduler with simulated time and clock jumps.
import type { Turn, TurnEnd } from 'agent-harness/plugins/agent';
import type { Storage } from 'agent-harness/plugins/storage';
import { openLedger, type BeatLedger } from '../../../../builtins/background/heartbeat/beat-ledger.ts';
import { createBeats, type Beats } from '../../../../builtins/background/heartbeat/beats.ts';
import { createThinking } from '../../../../builtins/background/heartbeat/think.ts';
import { createScheduler, type Scheduler } from '../../../../plugins/schedule/scheduler.ts';

export const settings = {
  ...{ idleMs: 45_000, minIntervalMs: 120_000, quietHours: '', surface: 'assistant' as const, maxTokens: 512, timeoutMs: 20_000 },
  ...{ nudgesPerHour: 2, minConfidence: 0.86 },
};

export interface BeatTime {
  readonly asked: { readonly at: number; readonly chatId: string; readonly message: string }[];
  readonly shown: number[];
  readonly faults: unknown[];
  begin(chatId: string): (reason: TurnEnd['reason'], answer?: string) => void;
  pass(ms: number): Promise<void>;
  jump(ms: number): void;
  crash(isReboot?: boolean): Promise<void>;
  settle(): Promise<void>;
}

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 6; turn++) await new Promise(setImmediate);
};

/** @param answerMs duration of a model reply */
export async function startBeatTime(answerMs = 3_000): Promise<BeatTime> {
  let now = 1_000_000;
  let wall = Date.UTC(2026, 10, 22, 12) - now;
  let booted = 0;
  let turnCount = 0;
  let life = 0;
  let timers = new Set<{ readonly at: number; readonly work: () => void }>();
  let saved: string | undefined;
  const busy = new Set<string>();
  const said: Pick<BeatTime, 'asked' | 'shown' | 'faults'> = { asked: [], shown: [], faults: [] };
  const clock = {
    now: () => now + wall,
    up: () => now - booted,
    after(ms: number, work: () => void) {
      const timer = { at: now + ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const storage = {
    readJson: () => Promise.resolve(saved === undefined ? undefined : JSON.parse(saved)),
    writeJson: (_path: string, value: unknown) => Promise.resolve(void (saved = JSON.stringify(value))),
  } as unknown as Storage;
  let scheduler: Scheduler;
  let beats: Beats;

  async function start(): Promise<void> {
    const own = ++life;
    const isAlive = (): boolean => own === life;
    const ledger: BeatLedger = await openLedger(storage, 'heartbeat.json');
    const emitter = { emit: () => undefined };
    const thinking = createThinking({
      ...{ clock, ledger, emitter, settings },
      gates: { read: () => Promise.resolve(0), write: () => Promise.resolve(), forget: () => undefined },
      log: { add: () => Promise.resolve(), forget: () => Promise.resolve(), idle: () => Promise.resolve() },
      models: {
        complete: ({ chatId = '', messages }, { signals }) =>
          new Promise((resolve, reject) => {
            const [message] = messages;
            said.asked.push({ at: now, chatId, message: message?.role === 'user' ? message.text : '' });
            for (const signal of signals) signal.addEventListener('abort', () => reject(signal.reason as Error));
            const nudge = { text: `nudge ${said.asked.length}`, confidence: 0.95 };
            const text = JSON.stringify({ reflections: [], memoryCandidates: [], nudge });
            clock.after(answerMs, () => isAlive() && resolve({ text, toolCalls: [], finish: 'stop', usage: { input: 1, output: 1, cached: 0 }, model: 'm' }));
          }),
      },
      turns: {
        announce: () => Promise.resolve({ chatId: '', messageId: String(said.shown.push(now)) }),
        isBusy: () => busy.size > 0,
        removalSignal: () => Promise.resolve(new AbortController().signal),
      },
      label: () => Promise.resolve(''),
      openTodos: () => Promise.resolve([]),
      offer: () => Promise.resolve(undefined),
      warn: (message) => said.faults.push(message),
    });
    await thinking.recover();
    beats = createBeats({
      ...{ clock, ledger, emitter, settings },
      createRunId: () => `beat_${turnCount}_${now}`,
      hasModel: () => true,
      isBusy: (chatId) => busy.has(chatId),
      think: (due, signal) => thinking.think(due, signal),
    });
    const current = beats;
    scheduler = createScheduler({
      ...{ clock, kept: {}, keep: () => Promise.resolve(), nextOfPattern: () => Promise.resolve(undefined) },
      runAs: (_plugin, work) => work(),
      onFault: (_job, _plugin, why) => said.faults.push(why),
      onUnkept: (fault) => said.faults.push(fault),
    });
    scheduler.add({ name: 'heartbeat', when: { idleMs: settings.idleMs }, run: ({ signal }) => current.quiet(signal) }, 'heartbeat');
    await settle();
  }
  await start();

  return {
    ...said,
    settle,
    begin(chatId) {
      const turnId = `turn_${++turnCount}`;
      const own = life;
      busy.add(turnId).add(chatId);
      scheduler.setBusy(true);
      return (reason, answer = 'fine') => {
        busy.delete(turnId);
        busy.delete(chatId);
        if (own !== life) return;
        if (busy.size === 0) scheduler.setBusy(false);
        const turn = { chatId, turnId, messageId: turnId, text: turnId, workspaceRoot: '/w', isTainted: false } as unknown as Turn;
        beats.onTurnEnd(turn, { reason } as TurnEnd, answer);
      };
    },
    async pass(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const [next] = [...timers].filter(({ at }) => at <= end).sort((left, right) => left.at - right.at);
        if (!next) break;
        timers.delete(next);
        now = Math.max(now, next.at);
        next.work();
        await settle();
      }
      now = end;
    },
    jump: (ms) => void (wall += ms),
    async crash(isReboot = false) {
      timers = new Set();
      busy.clear();
      if (isReboot) booted = now;
      await start();
    },
  };
}
