// Builds the heartbeat state that clients receive.
import { localDay } from '#lib/local-day';
import type { Models } from 'agent-harness/plugins/models';
import { noDay, type BeatDay, type BeatRun } from './beat-ledger.ts';
import type { BeatClock } from './beats.ts';
import { gateAfter } from './chat-gates.ts';
import type { BeatSurface } from './contract.ts';
import type { OpenHeartbeat } from './open-heartbeat.ts';

export interface HeartbeatView {
  readonly isOn: boolean;
  readonly surface: BeatSurface;
  readonly state: 'off' | 'idle' | 'waiting' | 'thinking' | 'muted' | 'quiet_hours' | 'no_model';
  readonly dueAt?: string;
  readonly last?: BeatRun;
  readonly nudge?: { readonly run: BeatRun };
  readonly today: BeatDay & { readonly day: string; readonly cost: number | null };
  /** Nudge threshold of the chat. `now`: the required confidence; null if no nudge passes. */
  readonly gate?: { readonly least: number; readonly now: number | null; readonly steps: number };
  readonly quietHours: string;
}

interface ViewParts {
  readonly clock: BeatClock;
  readonly models: Pick<Models, 'usage'>;
  readonly config: { readonly isOn: boolean; readonly surface: BeatSurface; readonly minConfidence: number; readonly quietHours: string };
}

export async function viewOf({ beats, thinking, ledger, gates }: OpenHeartbeat, chatId: string | undefined, parts: ViewParts): Promise<HeartbeatView> {
  const { clock, config, models } = parts;
  const { runs, days } = ledger.state;
  const now = new Date(clock.now());
  const day = localDay(now);
  const own = runs.filter((run) => run.chatId === chatId);
  const last = own.at(-1);
  // Only the newest nudge is returned, because earlier nudges are already in the chat.
  const newest = own.findLast(({ outcome }) => outcome === 'completed');
  const waiting = chatId === undefined ? undefined : beats.waiting(chatId);
  const isThinking = chatId !== undefined && thinking.running(chatId) !== undefined;
  const steps = chatId === undefined ? 0 : await gates.read(chatId);
  const gate = gateAfter(steps, config.minConfidence);
  return {
    ...{ isOn: config.isOn, surface: config.surface, quietHours: config.quietHours },
    state: !config.isOn ? 'off' : isThinking ? 'thinking' : (beats.heldBy() ?? (waiting ? 'waiting' : 'idle')),
    ...(waiting ? { dueAt: new Date(waiting.dueAt).toISOString() } : {}),
    ...(last ? { last } : {}),
    ...(newest?.nudge?.isShown && newest.nudge.answer === undefined ? { nudge: { run: newest } } : {}),
    today: { day, ...(days[day] ?? noDay), cost: await costSince(models, now) },
    ...(chatId === undefined ? {} : { gate: { least: config.minConfidence, now: Number.isFinite(gate) ? gate : null, steps } }),
  };
}

async function costSince(models: Pick<Models, 'usage'>, now: Date): Promise<number | null> {
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const rows = (await models.usage({ since: midnight.toISOString() })).filter(({ purpose }) => purpose === 'heartbeat');
  const known = rows.flatMap(({ cost, estimate }) => cost ?? estimate ?? []);
  return known.length === 0 && rows.length > 0 ? null : known.reduce((sum, one) => sum + one, 0);
}
