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
  /** Uptime of the machine in milliseconds; no change of the clock affects it. */
  up(): number;
  /** Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void;
}

/** A turn that may be considered. */
export interface DueBeat {
  readonly runId: string;
  readonly chatId: string;
  readonly workspaceRoot: string;
  readonly turnId: string;
  readonly messageId: string;
  readonly message: string;
  /** Left out if external content may be in it. */
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
  /** A usable model is available. */
  hasModel(): boolean;
  isBusy(chatId: string): boolean;
  /** Performs the run; the ledger has it before the model is asked. */
  think(due: DueBeat, signal: AbortSignal): Promise<void>;
}

export interface Beats {
  /** A root turn ended. */
  hear(turn: Turn, end: TurnEnd, answer: string | undefined): void;
  /** It is quiet: performs the runs that are due, one after the other, until the signal is aborted. */
  quiet(signal: AbortSignal): Promise<void>;
  /** The chat was deleted or reset. */
  forget(chatId: string): void;
  /** What waits for a quiet moment in that chat, and the earliest time, in milliseconds since 1970. */
  waiting(chatId: string): { readonly runId: string; readonly messageId: string; readonly dueAt: number } | undefined;
  /** Why no run would begin now; `undefined` if one would. */
  heldBy(): 'muted' | 'quiet_hours' | 'no_model' | undefined;
}

/** Maximum number of chats that wait at once; older ones are dropped. */
const mostWaiting = 32;
const unusedMs = 24 * 60 * 60_000;

export function createBeats({ clock, ledger, emitter, settings, ...parts }: BeatParts): Beats {
  /** Chat → its last turn, oldest first. */
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

  /** Whether it was reached; no timer is trusted. */
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
      // External content that the conversation read may be in the answer.
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
        // It may have been replaced, or its chat removed, while this waited.
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
