// Decides whether a dream is due, by evaluating its gates in order. Pure.
import type { DreamGate } from './contract.ts';
import { variable } from './variable.ts';

/** `dreams/state.json`. Times are milliseconds since 1970. */
export interface DreamState {
  /** Start time of the last run, whatever its outcome. */
  readonly lastRunAt?: number;
  /** `running` if the process ended during the run. */
  readonly outcome?: 'running' | 'accepted' | 'nothing' | 'failed';
  /** Conversations before this time have been read. */
  readonly readUpTo?: number;
  readonly scannedAt?: number;
  /** Number of consecutive runs with a reply but without a note. */
  readonly empty?: number;
  /** Time at which dreams stopped themselves. */
  readonly stoppedAt?: number;
}

export interface DueParts {
  readonly isOn: boolean;
  /** Whether a turn of the user ended (not a sub-agent's) and no turn is running. */
  readonly isRoot: boolean;
  readonly minHours: number;
  readonly minSessions: number;
  readonly scanIntervalMs: number;
}

const hourMs = 3_600_000;
export const emptyLimit = 3;

/** @param sessions chats that continued since the last run */
export function closedGate(now: number, parts: DueParts, state: DreamState, sessions: number): { readonly gate: DreamGate; readonly why: string } | undefined {
  if (!parts.isOn) return { gate: 'enabled', why: `Dreams are off. Switch them on in the settings, or with ${variable}=1.` };
  if (state.stoppedAt !== undefined)
    return { gate: 'enabled', why: `${emptyLimit} runs in a row kept nothing, so dreams are off until you turn them off and on again, or start one yourself.` };
  if (!parts.isRoot) return { gate: 'root', why: 'A turn is running.' };
  const wait = waitAfter(parts.minHours, state);
  // A clock that was set back must not extend the delay.
  const began = Math.min(state.lastRunAt ?? -Infinity, now);
  if (now - began < wait)
    return {
      gate: 'hours',
      why: `The last run began ${Math.floor((now - began) / hourMs)} hours ago; the next one may begin ${Math.ceil(wait / hourMs)} hours after it.`,
    };
  if (sessions < parts.minSessions) return { gate: 'sessions', why: `${sessions} chats went on since the last run; a dream needs ${parts.minSessions}.` };
  const looked = Math.min(state.scannedAt ?? -Infinity, now);
  if (now - looked < parts.scanIntervalMs) return { gate: 'scan', why: 'The chats were looked at a moment ago.' };
  return undefined;
}

function waitAfter(minHours: number, { outcome }: DreamState): number {
  // A run without a result or with a failure may be retried once per hour; an interrupted run is not retried.
  if (outcome === 'nothing' || outcome === 'failed') return hourMs;
  return outcome === 'running' ? Math.max(hourMs, minHours * hourMs) : minHours * hourMs;
}
