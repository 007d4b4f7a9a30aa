// Decides whether a dream may start, by evaluating its gates in order. Pure.
import { countWithNoun } from '#lib/text';
import type { DreamGate } from './contract.ts';
import { variable } from './variable.ts';

/** Content of `dreams/state.json`. Times are milliseconds since 1970. */
export interface DreamState {
  /** Start time of the last run, whatever its outcome. */
  readonly lastRunAt?: number;
  /** Outcome of the last run; `running` if the process ended during the run. */
  readonly outcome?: 'running' | 'accepted' | 'nothing' | 'failed';
  /** Time up to which conversations have been read. */
  readonly readUpTo?: number;
  readonly scannedAt?: number;
  /** Number of consecutive runs with a reply but without a stored note. */
  readonly empty?: number;
  /** Time at which dreams were paused automatically. */
  readonly stoppedAt?: number;
}

export interface DueParts {
  readonly isOn: boolean;
  /** Whether no turn is running. */
  readonly isRoot: boolean;
  readonly minHours: number;
  readonly minSessions: number;
  readonly scanIntervalMs: number;
}

const hourMs = 3_600_000;
export const emptyLimit = 3;

/** Returns the first closed gate with its reason; `undefined` if a dream may start. @param sessions number of chats that continued since the last run */
export function closedGate(now: number, parts: DueParts, state: DreamState, sessions: number): { readonly gate: DreamGate; readonly why: string } | undefined {
  if (!parts.isOn) return { gate: 'enabled', why: `Dreams are off. Enable them in the settings, or with ${variable}=1.` };
  if (state.stoppedAt !== undefined)
    return {
      gate: 'enabled',
      why: `${emptyLimit} consecutive runs stored no note, so dreams are paused. To resume, turn them off and on again, or start one yourself.`,
    };
  if (!parts.isRoot) return { gate: 'root', why: 'A turn is running.' };
  const wait = waitAfter(parts.minHours, state);
  // A clock that was set back must not extend the delay.
  const began = Math.min(state.lastRunAt ?? -Infinity, now);
  if (now - began < wait)
    return {
      gate: 'hours',
      why: `The last run started ${Math.floor((now - began) / hourMs)} hours ago; the next one can start ${Math.ceil(wait / hourMs)} hours after it.`,
    };
  if (sessions < parts.minSessions)
    return { gate: 'sessions', why: `${countWithNoun(sessions, 'chat')} continued since the last run; a dream needs ${parts.minSessions}.` };
  const looked = Math.min(state.scannedAt ?? -Infinity, now);
  if (now - looked < parts.scanIntervalMs) return { gate: 'scan', why: 'The chats were scanned recently.' };
  return undefined;
}

function waitAfter(minHours: number, { outcome }: DreamState): number {
  // After a run that failed or produced nothing, one retry per hour is allowed; an interrupted run is not retried.
  if (outcome === 'nothing' || outcome === 'failed') return hourMs;
  return outcome === 'running' ? Math.max(hourMs, minHours * hourMs) : minHours * hourMs;
}
