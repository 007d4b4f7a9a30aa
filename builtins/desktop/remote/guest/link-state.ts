// Describes the state of the connection to the host. An image counts as live only if it is current. Pure.
import { backoffMs } from '#lib/async';

export interface LinkFacts {
  readonly phase: 'connecting' | 'open' | 'lost' | 'over';
  /** Start of the phase; all times are those of this page's clock. */
  readonly since: number;
  /** Time of the host's last message. */
  readonly heardAt?: number | undefined;
  /** Capture time of the image. */
  readonly pictureAt?: number | undefined;
  readonly host: 'shown' | 'minimized' | 'gone' | 'waiting';
  /** Reason why the session has ended. */
  readonly reason?: string | undefined;
}

export interface LinkStatus {
  /** `live`: the image is current. `late`: the image may be outdated. `old`: it is outdated. */
  readonly tone: 'live' | 'late' | 'old' | 'over';
  /** Short text of one or two words. */
  readonly title: string;
  /** Full text in sentences. */
  readonly text: string;
  /** For a live image without movement: the time since the last change. */
  readonly unchanged?: string;
}

/** Time in milliseconds without a message after which an image no longer counts as live. The host answers a ping every 2 s. */
export const silentMs = 4_500;
/** Time in milliseconds without a message after which the guest reconnects. */
export const deadMs = 9_000;
const restMs = 3_000;

export function statusOf(facts: LinkFacts, now: number): LinkStatus {
  const { phase, host, heardAt, pictureAt, since, reason } = facts;
  const age = pictureAt === undefined ? '' : ` The picture is ${durationText(now - pictureAt)} old.`;
  if (phase === 'over') return { tone: 'over', title: 'Ended', text: reason ?? 'The session has ended.' };
  if (phase === 'lost') return { tone: 'old', title: 'Lost', text: `No connection for ${durationText(now - since)}, trying again.${age}` };
  if (phase === 'connecting') return { tone: 'old', title: 'Connecting', text: `Connecting for ${durationText(now - since)}.${age}` };
  const silence = now - (heardAt ?? since);
  if (silence >= silentMs) return { tone: 'late', title: 'No response', text: `The host has not responded for ${durationText(silence)}.${age}` };
  if (host === 'minimized') return { tone: 'old', title: 'Minimised', text: `The host's window is minimised, so the picture is not updated.${age}` };
  if (host === 'gone') return { tone: 'old', title: 'Closed', text: `The host closed its window; it is shown when it is opened again.${age}` };
  if (host === 'waiting' || pictureAt === undefined)
    return { tone: 'old', title: 'Waiting', text: `Waiting for the first picture for ${durationText(now - since)}.` };
  const rest = now - pictureAt;
  if (rest < restMs) return { tone: 'live', title: 'Live', text: 'Live.' };
  return { tone: 'live', title: 'Live', text: `Live; no change for ${durationText(rest)}.`, unchanged: durationText(rest) };
}

/** Returns the delay in milliseconds before the next attempt; 0 for the first. */
export function waitBeforeTry(failures: number, random?: () => number): number {
  return failures === 0 ? 0 : backoffMs(failures - 1, { first: 500, longest: 5_000 }, random);
}

export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** Calculates the offset between the host's clock and this page's clock from a ping and its answer. */
export function clockOffset(askedAt: number, answeredAt: number, hostAt: number): number {
  return hostAt - (askedAt + answeredAt) / 2;
}
