// Stores the heartbeat's state across restarts: the last runs, their outcomes, and users' reactions to nudges.
import { createSerialQueue } from '#lib/async';
import { localDay } from '#lib/local-day';
import { isRecord } from '#lib/values';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Nudge } from './contract.ts';
import type { MemoryCandidate } from './read-beat.ts';

export type BeatOutcome = 'completed' | 'failed' | 'skipped' | 'interrupted';
export type NudgeAnswer = 'used' | 'dismissed';

/** A nudge and its outcome. */
export interface LedgerNudge extends Nudge {
  readonly isShown: boolean;
  /** Reason why the nudge was not shown. */
  readonly why?: string;
  readonly answer?: NudgeAnswer;
}

/** Numbers of memory candidates that were stored, sent to the inbox, or refused. */
export interface OfferedMemory {
  readonly kept: number;
  readonly inbox: number;
  readonly refused: number;
}

export interface BeatRun {
  readonly runId: string;
  readonly chatId: string;
  readonly workspaceRoot: string;
  /** Id and beginning of the message that the run considered. */
  readonly messageId: string;
  readonly about: string;
  /** Start of the model call, ISO 8601. */
  readonly at: string;
  readonly outcome?: BeatOutcome;
  readonly reason?: string;
  readonly summary?: string;
  readonly ms?: number;
  readonly input?: number;
  readonly output?: number;
  readonly cost?: number;
  readonly reflections?: readonly string[];
  readonly candidates?: readonly MemoryCandidate[];
  readonly memory?: OfferedMemory;
  readonly nudge?: LedgerNudge;
}

/** Totals of the runs of one day. */
export interface BeatDay {
  readonly runs: number;
  readonly failed: number;
  readonly shown: number;
  readonly used: number;
  readonly dismissed: number;
}

export interface LedgerState {
  /** Machine uptimes in milliseconds at the start of the last run and of each nudge shown in the last hour. */
  readonly lastUp?: number;
  readonly nudgeUps: readonly number[];
  /** The run that has not ended, possibly because of a crash. */
  readonly open?: BeatRun;
  /** Stored runs, newest last. */
  readonly runs: readonly BeatRun[];
  /** Totals by local calendar day. */
  readonly days: Readonly<Record<string, BeatDay>>;
  /** Local calendar day for which the user muted the heartbeat. */
  readonly mutedOn?: string;
}

export interface BeatLedger {
  readonly state: LedgerState;
  /** Changes the state. Resolves with the new state when it is on disk; writes nothing if the state is unchanged. */
  change(how: (state: LedgerState) => LedgerState): Promise<LedgerState>;
  idle(): Promise<void>;
}

export const noDay: BeatDay = { runs: 0, failed: 0, shown: 0, used: 0, dismissed: 0 };
const empty: LedgerState = { nudgeUps: [], runs: [], days: {} };
const most = { runs: 50, days: 60, nudges: 24 } as const;

export async function openLedger(storage: Storage, path: string): Promise<BeatLedger> {
  let state = (await storage.readJson<LedgerState>(path, isLedger)) ?? empty;
  const queue = createSerialQueue();
  return {
    get state() {
      return state;
    },
    change: (how) =>
      queue.run(async () => {
        const changed = how(state);
        if (changed === state) return state;
        const next = bounded(changed);
        await storage.writeJson(path, next);
        return (state = next);
      }),
    idle: () => queue.idle(),
  };
}

/** Adds numbers to the totals of the day of `at`. */
export function counted(state: LedgerState, at: Date, more: Partial<BeatDay>): LedgerState {
  const day = localDay(at);
  const before = state.days[day] ?? noDay;
  const sum = Object.fromEntries(Object.entries(before).map(([name, count]) => [name, count + (more[name as keyof BeatDay] ?? 0)]));
  return { ...state, days: { ...state.days, [day]: sum as unknown as BeatDay } };
}

function bounded(state: LedgerState): LedgerState {
  const days = Object.entries(state.days).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { ...state, nudgeUps: state.nudgeUps.slice(-most.nudges), runs: state.runs.slice(-most.runs), days: Object.fromEntries(days.slice(-most.days)) };
}

function isLedger(value: unknown): value is LedgerState {
  if (!isRecord(value)) return false;
  const { nudgeUps, runs, days, open, lastUp } = value;
  const isUp = (one: unknown): boolean => typeof one === 'number' && Number.isFinite(one) && one >= 0;
  return (
    (lastUp === undefined || isUp(lastUp)) &&
    Array.isArray(nudgeUps) &&
    nudgeUps.every(isUp) &&
    Array.isArray(runs) &&
    runs.every(isRun) &&
    (open === undefined || isRun(open)) &&
    isRecord(days) &&
    Object.values(days).every((day) => isRecord(day) && Object.keys(noDay).every((name) => isUp(day[name])))
  );
}

const isRun = (one: unknown): boolean =>
  isRecord(one) && ['runId', 'chatId', 'workspaceRoot', 'messageId', 'about', 'at'].every((name) => typeof one[name] === 'string');
