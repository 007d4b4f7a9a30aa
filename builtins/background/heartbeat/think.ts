// Performs one heartbeat run: updates the ledger, calls the model, and applies the result. Startup recovers from a crash after any step.
import { codeOf, messageOf } from '#lib/errors';
import { oneLine } from '#lib/text';
import type { Emitter } from 'agent-harness/kernel';
import type { Turns } from 'agent-harness/plugins/agent';
import type { ModelReply, Models } from 'agent-harness/plugins/models';
import { counted, type BeatLedger, type BeatOutcome, type BeatRun, type LedgerNudge, type OfferedMemory } from './beat-ledger.ts';
import { beatInput, instructions } from './beat-input.ts';
import type { BeatClock, DueBeat } from './beats.ts';
import { gateAfter, type ChatGates } from './chat-gates.ts';
import type { BeatSurface } from './contract.ts';
import { elapsedMs } from './elapsed.ts';
import { readBeat, type Beat, type MemoryCandidate } from './read-beat.ts';
import type { RunLog } from './run-log.ts';

export interface ThinkSettings {
  readonly surface: BeatSurface;
  readonly maxTokens: number;
  readonly timeoutMs: number;
  readonly nudgesPerHour: number;
  readonly minConfidence: number;
}

export interface ThinkParts {
  readonly clock: BeatClock;
  readonly ledger: BeatLedger;
  readonly gates: ChatGates;
  readonly log: RunLog;
  readonly emitter: Pick<Emitter, 'emit'>;
  readonly models: Pick<Models, 'complete'>;
  readonly turns: Pick<Turns, 'announce' | 'isBusy' | 'removalSignal'>;
  readonly settings: ThinkSettings;
  /** Returns the name of the persona; empty if there is none. */
  label(chatId: string): Promise<string>;
  openTodos(chatId: string): Promise<readonly string[]>;
  /** Passes memory candidates to the plugin that judges them; resolves with `undefined` without such a plugin. Skips candidates that were judged before. */
  offer(run: BeatRun, candidates: readonly MemoryCandidate[]): Promise<OfferedMemory | undefined>;
  warn(message: string): void;
}

const hourMs = 60 * 60_000;
/** Maximum delay of a nudge in milliseconds; after a longer delay, such as after a crash, it is not shown. */
const freshMs = 10 * 60_000;
const aboutLength = 120;
const budgetCodes = ['MODELS_ERR_DAY_BUDGET', 'MODELS_ERR_CHAT_BUDGET', 'MODELS_ERR_PURPOSE_BUDGET', 'MODELS_ERR_BUDGET'];

export interface Thinking {
  think(due: DueBeat, signal: AbortSignal): Promise<void>;
  /** Ends the runs that a crash left open. */
  recover(): Promise<void>;
  /** Returns the id of the chat's current run. */
  running(chatId: string): string | undefined;
  /** Stops the chat's current run. Resolves when the run has ended. */
  stop(chatId: string): Promise<void>;
}

export function createThinking({ clock, ledger, gates, log, emitter, models, turns, settings, ...parts }: ThinkParts): Thinking {
  let current: { readonly chatId: string; readonly runId: string; readonly end: AbortController; readonly done: Promise<void> } | undefined;

  async function ask(due: DueBeat, signal: AbortSignal): Promise<ModelReply> {
    const { chatId, message, answer } = due;
    const [label, todos] = await Promise.all([parts.label(chatId), answer === undefined ? [] : parts.openTodos(chatId)]);
    signal.throwIfAborted();
    return models.complete(
      {
        system: instructions,
        messages: [{ role: 'user', text: beatInput({ label, message, ...(answer === undefined ? {} : { answer }), todos }) }],
        ...{ tools: [], maxTokens: settings.maxTokens, purpose: 'heartbeat', plugin: 'heartbeat', chatId },
      },
      { ms: settings.timeoutMs, signals: [signal] },
    );
  }

  async function decide({ chatId }: BeatRun, { nudge }: Beat): Promise<LedgerNudge | undefined> {
    if (!nudge) return undefined;
    const why = await heldBack(chatId, nudge);
    return { ...nudge, isShown: why === undefined, ...(why === undefined ? {} : { why }) };
  }

  async function heldBack(chatId: string, { text, confidence }: NonNullable<Beat['nudge']>): Promise<string | undefined> {
    if (settings.surface === 'off') return 'surface_off';
    if (confidence < gateAfter(await gates.read(chatId), settings.minConfidence)) return 'not_sure_enough';
    if (shownLately().length >= settings.nudgesPerHour) return 'hour_limit';
    return ledger.state.runs.some((run) => run.chatId === chatId && run.nudge?.isShown && run.nudge.text === text) ? 'said_before' : undefined;
  }

  const shownLately = (): readonly number[] => ledger.state.nudgeUps.filter((since) => elapsedMs(since, clock.up()) < hourMs);

  async function show(run: BeatRun): Promise<void> {
    const { chatId, runId, nudge, about } = run;
    if (!nudge?.isShown) return;
    const reason = `a thought about “${about}”`;
    await turns.announce({
      ...{ chatId, text: nudge.text, clientId: runId, origin: { plugin: 'heartbeat', reason } },
      channel: settings.surface === 'assistant' ? 'user' : 'trace',
    });
  }

  /** Closes a run as the last step, so that a crash before it leaves the run open. */
  async function close(run: BeatRun): Promise<void> {
    const { runId, chatId, messageId, at, outcome, reason, summary, reflections = [], candidates = [], memory, nudge = null, ms, input, output, cost } = run;
    await log.add(run.workspaceRoot, {
      ...{ runId, chatId, messageId, at, ms, outcome, reason, summary, reflections, memoryCandidates: candidates, memory, nudge },
      ...{ surface: settings.surface, input, output, cost },
    });
    await ledger.change((state) => {
      const { open: _, ...rest } = state;
      return counted({ ...rest, runs: [...state.runs, run] }, new Date(clock.now()), outcome === 'failed' ? { failed: 1 } : {});
    });
  }

  async function over(begun: BeatRun, outcome: BeatOutcome, reason: string, reply?: ModelReply): Promise<void> {
    const run: BeatRun = { ...begun, ...spent(begun, reply), outcome, reason, summary: '' };
    await close(run);
    const { chatId, runId } = run;
    if (outcome === 'skipped') emitter.emit('heartbeat_skipped', { chatId, runId, reason });
    else emitter.emit('heartbeat_completed', { chatId, runId, summary: '', surface: settings.surface, failure: reason });
  }

  const spent = ({ at }: BeatRun, reply: ModelReply | undefined): Partial<BeatRun> => ({
    ms: Math.max(0, clock.now() - Date.parse(at)),
    ...(reply ? { input: reply.usage.input, output: reply.usage.output, ...(reply.usage.cost === undefined ? {} : { cost: reply.usage.cost }) } : {}),
  });

  /** Applies the results of a run, parts of which may already be applied. */
  async function follow(run: BeatRun): Promise<BeatRun> {
    await show(run);
    if (run.candidates === undefined || run.candidates.length === 0) return run;
    const memory = await parts.offer(run, run.candidates).catch((fault: unknown) => {
      parts.warn(`the memory candidates of a heartbeat could not be checked: ${messageOf(fault)}`);
      return undefined;
    });
    return { ...run, ...(memory ? { memory } : {}) };
  }

  async function finish(begun: BeatRun, reply: ModelReply, signal: AbortSignal): Promise<void> {
    const beat = readBeat(reply.text, reply.finish === 'length');
    if ('failure' in beat) return over(begun, 'failed', beat.failure, reply);
    const nudge = await decide(begun, beat);
    if (signal.aborted || turns.isBusy(begun.chatId)) return over(begun, 'skipped', 'busy', reply);
    const { reflections, candidates } = beat;
    const summary = reflections[0] ?? nudge?.text ?? '';
    const run: BeatRun = {
      ...begun,
      ...spent(begun, reply),
      ...{ outcome: 'completed', summary, reflections, candidates },
      ...(nudge ? { nudge } : {}),
    };
    // Counts the nudge before showing it, and shows it with the same id after a crash. A nudge can neither exceed the limit nor appear twice.
    await ledger.change((state) => {
      const next = { ...state, open: run };
      return nudge?.isShown ? counted({ ...next, nudgeUps: [...shownLately(), clock.up()] }, new Date(clock.now()), { shown: 1 }) : next;
    });
    await close(await follow(run));
    const { chatId, runId } = run;
    const shown = nudge?.isShown ? { nudge: { text: nudge.text, confidence: nudge.confidence } } : {};
    emitter.emit('heartbeat_completed', { chatId, runId, summary, surface: settings.surface, ...shown });
  }

  async function thinkNow(due: DueBeat, signal: AbortSignal): Promise<void> {
    const { runId, chatId, workspaceRoot, messageId, message } = due;
    const at = new Date(clock.now()).toISOString();
    const run: BeatRun = { runId, chatId, workspaceRoot, messageId, about: oneLine(message, aboutLength), at };
    const removal = await turns.removalSignal(chatId, due.turnId);
    if (removal.aborted) return void emitter.emit('heartbeat_skipped', { chatId, runId, reason: 'forgotten' });
    await ledger.change((state) => counted({ ...state, open: run, lastUp: clock.up() }, new Date(clock.now()), { runs: 1 }));
    emitter.emit('heartbeat_started', { chatId, runId });
    try {
      const reply = await ask(due, AbortSignal.any([signal, removal]));
      removal.throwIfAborted();
      await finish(run, reply, signal);
    } catch (fault) {
      const code = codeOf(fault) ?? 'UNKNOWN';
      if (removal.aborted) await over({ ...run, about: '' }, 'skipped', 'forgotten');
      else if (signal.aborted) await over(run, 'skipped', turns.isBusy() ? 'busy' : 'stopped');
      else if (budgetCodes.includes(code)) await over(run, 'skipped', 'budget');
      else await over(run, 'failed', code);
    }
  }

  return {
    async think(due, signal) {
      const end = new AbortController();
      const done = thinkNow(due, AbortSignal.any([signal, end.signal]));
      current = { chatId: due.chatId, runId: due.runId, end, done };
      try {
        await done;
      } finally {
        current = undefined;
      }
    },
    async recover() {
      const { open } = ledger.state;
      if (!open) return;
      const age = clock.now() - Date.parse(open.at);
      if (open.outcome === undefined) return close({ ...open, outcome: 'interrupted' });
      const isFresh = age >= 0 && age < freshMs;
      await close(isFresh ? await follow(open) : open);
    },
    running: (chatId) => (current?.chatId === chatId ? current.runId : undefined),
    async stop(chatId) {
      if (current?.chatId !== chatId) return;
      current.end.abort();
      await current.done.catch(() => undefined);
    },
  };
}
