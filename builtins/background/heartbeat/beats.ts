// Schedules heartbeat runs: one after a successful turn, once the chat is idle, never twice for the same turn.
import type { Emitter } from 'agent-harness/kernel';
import type { Turn, TurnEnd } from 'agent-harness/plugins/agent';
import type { BeatLedger } from './beat-ledger.ts';
import { elapsedMs } from './elapsed.ts';
import { isQuiet } from './quiet-hours.ts';
import { localDay } from '#lib/local-day';

export interface BeatClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Machine uptime in milliseconds, independent of the clock. */
  up(): number;
  /** Returns a function that cancels the timer. */
  after(ms: number, work: () => void): () => void;
}

/** A turn that is due for a run. */
export interface DueBeat {
  readonly runId: string;
  readonly chatId: string;
  readonly workspaceRoot: string;
  readonly turnId: string;
  readonly messageId: string;
  readonly message: string;
  /** Left out if it may contain external content. */
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
  /** Whether a usable model is available. */
  hasModel(): boolean;
  isBusy(chatId: string): boolean;
  /** Performs the run, and records it in the ledger before the model call. */
  think(due: DueBeat, signal: AbortSignal): Promise<void>;
}

export interface Beats {
  /** Handles the end of a root turn. */
  hear(turn: Turn, end: TurnEnd, answer: string | undefined): void;
  /** Handles an idle moment: performs due runs sequentially until the signal is aborted. */
  quiet(signal: AbortSignal): Promise<void>;
  /** Handles a deleted or reset chat. */
  forget(chatId: string): void;
  /** Returns the waiting run of a chat, and its earliest time in milliseconds since 1970. */
  waiting(chatId: string): { readonly runId: string; readonly messageId: string; readonly dueAt: number } | undefined;
  /** Returns why no run would start now; `undefined` if one would. */
  heldBy(): 'muted' | 'quiet_hours' | 'no_model' | undefined;
}

/** Maximum number of waiting chats; the oldest are dropped. */
const mostWaiting = 32;
const unusedMs = 24 * 60 * 60_000;

export function createBeats({ clock, ledger, emitter, settings, ...parts }: BeatParts): Beats {
  /** Last turn by chat, oldest first. */
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

  /** A clock that was set back does not make a chat look used. */
  const isUnused = ({ at, up }: DueBeat): boolean => Math.max(clock.now() - at, elapsedMs(up, clock.up())) >= unusedMs;

  /** Resolves with whether the time was reached, measured by the clock and not by the timer. */
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
    hear(turn, end, answer) {
      const { chatId, workspaceRoot, turnId, messageId, text: message } = turn;
      const before = waiting.get(chatId);
      if (before) skip(before, 'superseded');
      if (end.reason !== 'done' || answer === undefined || answer.trim() === '' || !parts.hasModel()) return;
      const runId = parts.createRunId();
      const [at, up] = [clock.now(), clock.up()];
      // The answer may contain external content that the conversation read.
      const told = turn.isTainted ? {} : { answer };
      waiting.set(chatId, { runId, chatId, workspaceRoot, turnId, messageId, message, ...told, at, up });
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
        // The turn may have been replaced, or its chat removed, during the wait.
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
