// Finds out that an agent is silent, and that a turn is over though its end was never heard of. Pure: time comes in as numbers.
import { waitingText } from 'agent-harness/transcript';

export interface StallWatch {
  /** Milliseconds; of the newest note about the silence that goes on. */
  readonly notedAt?: number;
  /** Answers in a row that say idle. */
  readonly idleSamples: number;
  /** Milliseconds: when the last needed of them came. */
  readonly idleSince?: number;
}

export interface Busy {
  /** ISO 8601 by the server's clock: when the message was sent, or its turn began. */
  readonly startedAt: string;
  /** Milliseconds: when the agent last showed a sign of work. */
  readonly lastSignAt: number;
}

export interface StatusSample {
  readonly isBusy: boolean;
  /** ISO 8601 by the server's clock. */
  readonly lastTurnEndedAt?: string;
}

export interface Watched {
  readonly watch: StallWatch;
  /** It is time to say that nothing comes. */
  readonly isStalled?: true;
  /** The turn is over: the page may be used again. */
  readonly isOver?: true;
}

export const watchNothing: StallWatch = { idleSamples: 0 };

/** A silence that is worth a line, and how long until the next one, in milliseconds. */
export const firstSilence = 52_000;
export const laterSilence = 240_000;
const neededSamples = 3;
const grace = 5_000;

/** @param busy `undefined` while no end of a turn is expected */
export function tickWatch(watch: StallWatch, busy: Busy | undefined, now: number): Watched {
  if (!busy) return { watch: watchNothing };
  const { notedAt, ...rest } = watch;
  // A sign since then ends the silence that was noted.
  const noted = notedAt !== undefined && notedAt > busy.lastSignAt ? notedAt : undefined;
  const since = noted ?? busy.lastSignAt;
  if (now - since < (noted === undefined ? firstSilence : laterSilence)) return { watch: noted === undefined ? rest : watch };
  return { watch: { ...rest, notedAt: now }, isStalled: true };
}

/** One answer of `GET /api/status`, for a chat that shows as busy. */
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
  return `[UI] Nothing has come from the agent for ${Math.round(silentMs / 1000)} seconds: ${waitingText(waitingFor).toLowerCase()}. You can go on waiting, or stop it.`;
}
