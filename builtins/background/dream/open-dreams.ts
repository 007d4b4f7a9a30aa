// Implements dream runs from the gate checks to the report. Loaded when the first run is due or requested.
import type { Emitter, KernelError, Logger, Services } from 'agent-harness/kernel';
import { createSerialQueue } from '#lib/async';
import { messageOf } from '#lib/errors';
import type { RemovedEntry } from 'agent-harness/plugins/agent';
import { applyRun, recoverRun, undoRun } from './apply-run.ts';
import { countsOf } from './counts.ts';
import type { DreamFailure, DreamGate, DreamRun } from './contract.ts';
import { createDreamFiles, type DreamFiles } from './dream-files.ts';
import { closedGate, emptyLimit, type DreamState } from './dream-gates.ts';
import { gatherMaterial, noteLines, touchedChats, type Material } from './material.ts';
import { planRun } from './plan-run.ts';
import { instructions, readReply } from './read-reply.ts';
import { forgetInRuns, dropFromRuns } from './forget-in-runs.ts';
import { summaryText } from './report.ts';

export interface DreamConfig {
  readonly isOn: boolean;
  readonly isTold: boolean;
  readonly mayDelete: boolean;
  readonly minHours: number;
  readonly minSessions: number;
  readonly scanIntervalMs: number;
  readonly maxFiles: number;
  readonly maxPerSession: number;
  readonly maxTotal: number;
  readonly lockStaleMs: number;
}

export interface DreamParts {
  readonly services: Pick<Services, 'product' | 'storage' | 'chats' | 'models' | 'notes' | 'turns' | 'evidenceGates'>;
  /** Current values of the settings; read again on every use, because they may change. */
  readonly config: DreamConfig;
  readonly emitter: Emitter;
  readonly log: Logger;
  error(reason: 'NOT_FOUND' | 'ALREADY_RESOLVED' | 'IN_PROGRESS', details: Readonly<Record<string, unknown>>): KernelError;
}

export interface Dreams {
  readonly files: DreamFiles;
  /**
   * Runs a dream if all gates are open. A run requested by the user checks only the model, the lock, and whether the chats contain text. Resolves with the run,
   * or with the closed gate.
   */
  dream(asked: DreamRun['asked'], signal: AbortSignal): Promise<DreamRun | { readonly gate: DreamGate; readonly why: string }>;
  /** Undoes a run, by default the newest one that changed a note. Rejects with `NOT_FOUND`, or with `ALREADY_RESOLVED` if the run cannot be undone. */
  undo(runId?: string): Promise<DreamRun>;
  /** Completes an interrupted run. */
  recover(): Promise<void>;
  /** Ends the automatic pause of dreams. */
  resume(): Promise<void>;
  /** Removes content of a removed message or call from the reports. */
  dropEntry(entry: RemovedEntry): Promise<void>;
  forgetChat(chat: { readonly chatId: string; readonly turnIds: ReadonlySet<string> }): Promise<void>;
  /** Returns the first closed gate for display; no `gate` if all are open. */
  status(): Promise<{ readonly gate?: DreamGate; readonly why: string }>;
}

const requestMs = 120_000;
/** Maximum length of the model's reply in tokens. */
const maxTokens = 4_000;

class Failed extends Error {
  readonly reason: DreamFailure;
  constructor(reason: DreamFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

export function openDreams({ services, config, emitter, log, error }: DreamParts): Dreams {
  const { chats, models, notes, turns, evidenceGates: gates } = services;
  const files = createDreamFiles(services.product.home, services.storage);
  const { run: inTurn } = createSerialQueue();
  const parts = { files, notes };

  async function closed(state: DreamState): Promise<{ readonly gate: DreamGate; readonly why: string } | undefined> {
    const sessions = config.isOn ? (await touchedChats(chats, state.readUpTo ?? 0)).length : 0;
    return closedGate(Date.now(), { ...settings(), isRoot: !turns.isBusy() }, state, sessions);
  }

  const settings = (): Pick<DreamConfig, 'isOn' | 'minHours' | 'minSessions' | 'scanIntervalMs'> => config;

  async function dream(asked: DreamRun['asked'], signal: AbortSignal): ReturnType<Dreams['dream']> {
    if (asked === 'idle') {
      const gate = await closed(await files.state());
      if (gate) return gate;
      await files.keepState((state) => ({ ...state, scannedAt: Date.now() }));
    }
    if (models.route().wire === 'demo') return { gate: 'model', why: 'No model is configured.' };
    const made = await locked(async () => {
      await finishOpen();
      // Another process may have run a dream between the check and the lock.
      const state = await files.state();
      const gate = asked === 'idle' ? await closed({ ...state, scannedAt: 0 }) : undefined;
      return gate ?? (await run(asked, state, signal));
    });
    return made ?? { gate: 'lock', why: 'Another process is running a dream.' };
  }

  /** Resolves with `undefined` if another process holds the lock. */
  async function locked<T>(work: () => Promise<T>): Promise<T | undefined> {
    const unlock = await files.lock(config.lockStaleMs);
    if (!unlock) return undefined;
    try {
      return await work();
    } finally {
      await unlock();
    }
  }

  async function run(asked: DreamRun['asked'], state: DreamState, signal: AbortSignal): ReturnType<Dreams['dream']> {
    const startedAt = Date.now();
    const touched = await touchedChats(chats, asked === 'person' ? 0 : (state.readUpTo ?? 0));
    const material = await gatherMaterial(touched, gates, notes, config);
    if (material.sessions.length === 0) return { gate: 'sessions', why: 'The chats contain no new text.' };
    const runId = services.storage.createId('dream');
    let made: DreamRun = {
      ...{
        runId,
        state: 'started',
        asked,
        startedAt: new Date(startedAt).toISOString(),
        sessions: material.sessions,
        summary: '',
        changes: [],
        refused: [],
        forged: 0,
      },
    };
    // Records the start before the model call, so that a failed run is not repeated immediately.
    await files.keepState((before) => ({ ...before, lastRunAt: startedAt, outcome: 'running' }));
    await files.begin(runId);
    await files.keep(made);
    emitter.emit('dream_started', { runId, asked, sessions: material.sessions.length, characters: material.characters });
    try {
      made = await work(made, material, signal);
    } catch (fault) {
      return fail(made, fault, signal);
    }
    await ended(made, startedAt);
    return made;
  }

  async function work(begun: DreamRun, material: Material, signal: AbortSignal): Promise<DreamRun> {
    const listed = noteLines(material.notes);
    const reply = await models
      .complete(
        {
          ...{ system: instructions, messages: [{ role: 'user', text: `Notes:\n${listed === '' ? '(none)' : listed}\n\nChats:\n${material.text}` }] },
          ...{ tools: [], maxTokens, purpose: 'dream', plugin: 'dream' },
        },
        { ms: requestMs, signals: [signal] },
      )
      .catch((fault: unknown) => Promise.reject(new Failed('model', messageOf(fault))));
    const asked: DreamRun = { ...begun, model: reply.model, tokens: { input: reply.usage.input, output: reply.usage.output } };
    const said = readReply(reply.text);
    if (typeof said === 'string') throw new Failed('bad_reply', said);
    const plan = await planRun(said, { material, runId: begun.runId, gates, notes, mayDelete: config.mayDelete, former: await files.runs() });
    if (typeof plan === 'string') throw new Failed('unknown_note', plan);
    signal.throwIfAborted();
    return applyRun(parts, { ...asked, ...plan, summary: material.isForeign ? '' : said.summary });
  }

  async function fail(run: DreamRun, fault: unknown, signal: AbortSignal): Promise<DreamRun> {
    const failure = signal.aborted
      ? { reason: 'interrupted' as const, why: 'A turn started, or the server stopped.' }
      : { reason: fault instanceof Failed ? fault.reason : ('broken' as const), why: messageOf(fault) };
    const failed: DreamRun = { ...run, state: 'failed', failure, endedAt: new Date().toISOString() };
    const hasReply = failure.reason === 'bad_reply' || failure.reason === 'unknown_note';
    await files.keep(failed);
    await files.end();
    await count('failed', hasReply ? 'empty' : 'same');
    log.warn(`a dream failed: ${failure.why}`);
    emitter.emit('dream_failed', { runId: run.runId, ...failure });
    return failed;
  }

  async function ended(run: DreamRun, startedAt: number): Promise<void> {
    const counts = countsOf(run);
    const hasChanged = counts.kept + counts.deleted > 0;
    await count(hasChanged ? 'accepted' : 'nothing', hasChanged ? 'none' : 'empty', startedAt);
    const summary = summaryText(run);
    emitter.emit('dream_completed', { runId: run.runId, summary, ...counts });
    if (!config.isTold || !hasChanged) return;
    const origin = { plugin: 'dream', reason: 'While idle, it scanned recent chats for lasting facts.' };
    await turns
      .announce({ text: summary, origin, channel: 'trace', isForModel: true, clientId: run.runId })
      .catch((fault: unknown) => log.warn(`the result of a dream could not be announced: ${messageOf(fault)}`));
  }

  async function count(outcome: NonNullable<DreamState['outcome']>, yielded: 'none' | 'empty' | 'same', readUpTo?: number): Promise<void> {
    const state = await files.keepState((before) => {
      const empty = yielded === 'none' ? 0 : (before.empty ?? 0) + (yielded === 'empty' ? 1 : 0);
      const { stoppedAt, ...rest } = before;
      const stop = empty >= emptyLimit ? { stoppedAt: stoppedAt ?? Date.now() } : {};
      return { ...rest, outcome, empty, ...(readUpTo === undefined ? {} : { readUpTo }), ...stop };
    });
    if (state.stoppedAt === undefined || yielded !== 'empty') return;
    const why = `${state.empty} consecutive runs stored no note, so dreams are paused. To resume, turn them off and on again, or start one yourself.`;
    log.warn(why);
    emitter.emit('dream_stopped', { runs: state.empty ?? 0, why });
  }

  /** Completes the run of an ended process; the caller must hold the lock. */
  async function finishOpen(): Promise<void> {
    const run = await recoverRun(parts);
    if (!run) return;
    log.info(`completed a dream run that a crash had interrupted: ${run.runId} (${run.state})`);
    if (run.state === 'done') await files.keepState((state) => ({ ...state, outcome: 'accepted', readUpTo: Date.parse(run.startedAt), empty: 0 }));
  }

  return {
    files,
    dream: (asked, signal) =>
      inTurn(async () => {
        const made = await dream(asked, signal);
        if ('gate' in made && asked === 'idle') emitter.emit('dream_gate', made);
        return made;
      }),
    undo: (runId) =>
      inTurn(async () => {
        await locked(finishOpen);
        const run = runId === undefined ? (await files.runs()).find(({ state, changes }) => state === 'done' && changes.length > 0) : await files.run(runId);
        if (!run) throw error('NOT_FOUND', { what: runId === undefined ? 'No dream run can be undone' : `Dream run '${runId}' was not found` });
        if (run.state !== 'done') throw error('ALREADY_RESOLVED', { runId: run.runId, state: run.state });
        const undone = await locked(() => undoRun(parts, run));
        if (!undone) throw error('IN_PROGRESS', {});
        emitter.emit('dream_undone', { runId: undone.runId, undone: undone.undo?.undone ?? 0, left: undone.undo?.left.length ?? 0 });
        return undone;
      }),
    recover: () => inTurn(async () => void (await locked(finishOpen))),
    async resume() {
      const state = await files.state();
      if (state.stoppedAt === undefined) return;
      await files.keepState(({ stoppedAt: _, empty: __, ...rest }) => rest);
    },
    dropEntry: (entry) => inTurn(async () => dropFromRuns(files, entry, (await chats.peek(entry.chatId)).title)),
    forgetChat: (chat) => inTurn(() => forgetInRuns(files, chat)),
    async status() {
      const gate = await closed(await files.state());
      return gate ?? { why: 'A dream starts when the agent is idle.' };
    },
  };
}
