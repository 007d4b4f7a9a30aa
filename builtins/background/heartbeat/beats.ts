// Schedules heartbeat runs: one per successful turn, once the chat is idle, never twice for the same turn.
import type { Emitter } from 'agent-harness/kernel';
import type { Turn, TurnEnd } from 'agent-harness/plugins/agent';
import type { BeatLedger } from './beat-ledger.ts';
import { elapsedMs } from './elapsed.ts';
import { isQuiet } from './quiet-hours.ts';
import { localDay } from '#lib/local-day';

export interface BeatClock {
  /** Returns the current time as a Unix timestamp in milliseconds. */
  now(): number;
  /** Returns the machine uptime in milliseconds, which clock changes do not affect. */
  up(): number;
  /** Calls `work` after the delay in milliseconds. Returns a function that cancels the timer. */
  after(ms: number, work: () => void): () => void;
}

/** A turn for which a run is due. */
export interface DueBeat {
  readonly runId: string;
  readonly chatId: string;
  readonly workspaceRoot: string;
  readonly turnId: string;
  readonly messageId: string;
  readonly message: string;
  /** The assistant's answer; omitted if it may contain external content. */
  readonly answer?: string;
  readonly at: number;
  readonly up: number;
}

export interface BeatSettings {
  readonly idleMs: number;
  readonly minIntervalMs: number;
  readonly quietHours: string;
}

export interface BeatParts {
  readonly clock: BeatClock;
  readonly ledger: BeatLedger;
  readonly emitter: Pick<Emitter, 'emit'>;
  readonly settings: BeatSettings;
  createRunId(): string;
  /** Returns whether a usable model is available. */
  hasModel(): boolean;
  isBusy(chatId: string): boolean;
  /** Performs the run; records it in the ledger before the model call. */
  think(due: DueBeat, signal: AbortSignal): Promise<void>;
}

export interface Beats {
  /** Handles the end of a root turn: schedules a run for it. */
  onTurnEnd(turn: Turn, end: TurnEnd, answer: string | undefined): void;
  /** Handles an idle moment: performs the due runs one after the other until the signal is aborted. */
  quiet(signal: AbortSignal): Promise<void>;
  /** Handles a deleted or reset chat: drops its pending run. */
  forget(chatId: string): void;
  /** Returns the pending run of a chat, with its earliest start in milliseconds since 1970; `undefined` if none is pending. */
  waiting(chatId: string): { readonly runId: string; readonly messageId: string; readonly dueAt: number } | undefined;
  /** Returns the reason why no run would start now; `undefined` if a run would start. */
  heldBy(): 'muted' | 'quiet_hours' | 'no_model' | undefined;
}

/** Maximum number of chats with a pending run; beyond it, the oldest runs are dropped. */
const mostWaiting = 32;
const unusedMs = 24 * 60 * 60_000;

export function createBeats({ clock, ledger, emitter, settings, ...parts }: BeatParts): Beats {
  /** The pending run of each chat, oldest first. */
  const waiting = new Map<string, DueBeat>();

  function skip({ chatId, runId }: DueBeat, reason: string): void {
    if (waiting.get(chatId)?.runId === runId) waiting.delete(chatId);
    emitter.emit('heartbeat_skipped', { chatId, runId, reason });
  }

  function spacingLeft(): number {
    const { lastUp } = ledger.state;
    return lastUp === undefined ? 0 : Math.max(0, settings.minIntervalMs - elapsedMs(lastUp, clock.up()));
  }

  function heldBy(): ReturnType<Beats['heldBy']> {
    const now = new Date(clock.now());
    if (!parts.hasModel()) return 'no_model';
    if (ledger.state.mutedOn === localDay(now)) return 'muted';
    return isQuiet(settings.quietHours, now) ? 'quiet_hours' : undefined;
  }

  /** Returns whether the chat has been unused for too long. Setting the clock back does not make a chat appear recently used. */
  const isUnused = ({ at, up }: DueBeat): boolean => Math.max(clock.now() - at, elapsedMs(up, clock.up())) >= unusedMs;

  /** Waits until the minimum interval has passed, measured by the clock instead of a timer. Resolves with false if the signal was aborted. */
  async function spaced(signal: AbortSignal): Promise<boolean> {
    for (let left = spacingLeft(); left > 0 && !signal.aborted; left = spacingLeft()) await pause(left, signal);
    return !signal.aborted;
  }

  function pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(ms, end);
      signal.addEventListener('abort', end);
    });
  }

  return {
    onTurnEnd(turn, end, answer) {
      const { chatId, workspaceRoot, turnId, messageId, text: message } = turn;
      const before = waiting.get(chatId);
      if (before) skip(before, 'superseded');
      if (end.reason !== 'done' || answer === undefined || answer.trim() === '' || !parts.hasModel()) return;
      const runId = parts.createRunId();
      const [at, up] = [clock.now(), clock.up()];
      // The answer may contain external content that the turn read.
      const known = turn.isTainted ? {} : { answer };
      waiting.set(chatId, { runId, chatId, workspaceRoot, turnId, messageId, message, ...known, at, up });
      for (const oldest of waiting.values()) {
        if (waiting.size <= mostWaiting) break;
        skip(oldest, 'superseded');
      }
      const dueAt = new Date(at + Math.max(settings.idleMs, spacingLeft())).toISOString();
      emitter.emit('heartbeat_scheduled', { chatId, runId, dueAt });
    },
    async quiet(signal) {
      for (const due of [...waiting.values()]) {
        if (!(await spaced(signal))) return;
        // The turn may have been replaced or its chat deleted during the wait.
        if (waiting.get(due.chatId) !== due) continue;
        if (parts.isBusy(due.chatId)) continue;
        const reason = isUnused(due) ? 'unused' : heldBy();
        if (reason !== undefined) {
          skip(due, reason);
          continue;
        }
        waiting.delete(due.chatId);
        await parts.think(due, signal);
      }
    },
    forget(chatId) {
      const due = waiting.get(chatId);
      if (due) skip(due, 'forgotten');
    },
    waiting(chatId) {
      const due = waiting.get(chatId);
      return due && { runId: due.runId, messageId: due.messageId, dueAt: Math.max(due.at + settings.idleMs, clock.now() + spacingLeft()) };
    },
    heldBy,
  };
}
