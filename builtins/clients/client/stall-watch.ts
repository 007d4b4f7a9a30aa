// Detects a silent agent, and a turn whose end was missed. Pure: times are parameters.
import { waitingText } from 'agent-harness/transcript';

export interface StallWatch {
  /** Time of the newest note about the current silence, in milliseconds. */
  readonly notedAt?: number;
  /** Number of consecutive status samples that report idle. */
  readonly idleSamples: number;
  /** Time at which enough idle samples had been received, in milliseconds. */
  readonly idleSince?: number;
}

export interface Busy {
  /** ISO 8601, by the server's clock: when the message was sent or its turn began. */
  readonly startedAt: string;
  /** Time of the agent's last sign of activity, in milliseconds. */
  readonly lastSignAt: number;
}

export interface StatusSample {
  readonly isBusy: boolean;
  /** ISO 8601, by the server's clock. */
  readonly lastTurnEndedAt?: string;
}

export interface Watched {
  readonly watch: StallWatch;
  /** Whether a note about the silence is due. */
  readonly isStalled?: true;
  /** Whether the turn is over and the page can be used again. */
  readonly isOver?: true;
}

export const watchNothing: StallWatch = { idleSamples: 0 };

/** Duration of silence before the first note, in milliseconds. */
export const firstSilence = 52_000;
export const laterSilence = 240_000;
const neededSamples = 3;
const grace = 5_000;

/** Updates the watch to the current time. @param busy `undefined` while no turn is expected to end */
export function tickWatch(watch: StallWatch, busy: Busy | undefined, now: number): Watched {
  if (!busy) return { watch: watchNothing };
  const { notedAt, ...rest } = watch;
  // Activity since then ends the silence.
  const noted = notedAt !== undefined && notedAt > busy.lastSignAt ? notedAt : undefined;
  const since = noted ?? busy.lastSignAt;
  if (now - since < (noted === undefined ? firstSilence : laterSilence)) return { watch: noted === undefined ? rest : watch };
  return { watch: { ...rest, notedAt: now }, isStalled: true };
}

/** Applies one response of `GET /api/status`, for a chat that is shown as busy. */
export function sampleWatch(watch: StallWatch, busy: Busy | undefined, sample: StatusSample, now: number): Watched {
  if (!busy) return { watch: watchNothing };
  const { idleSince, ...rest } = watch;
  if (sample.isBusy) return { watch: { ...rest, idleSamples: 0 } };
  const idleSamples = watch.idleSamples + 1;
  if (idleSamples < neededSamples) return { watch: { ...rest, idleSamples } };
  const since = idleSince ?? now;
  const isEnded = sample.lastTurnEndedAt !== undefined && Date.parse(sample.lastTurnEndedAt) > Date.parse(busy.startedAt);
  if (isEnded && now - since >= grace) return { watch: watchNothing, isOver: true };
  return { watch: { ...rest, idleSamples, idleSince: since } };
}

export function stallText(waitingFor: string, silentMs: number): string {
  return `[UI] No activity of the agent for ${Math.round(silentMs / 1000)} seconds: ${waitingText(waitingFor).toLowerCase()}. You can wait or stop it.`;
}
