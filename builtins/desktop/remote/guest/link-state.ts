// Describes the state of the connection to the host accurately: nothing old is called live. Pure.
import { backoffMs } from '#lib/async';

export interface LinkFacts {
  readonly phase: 'connecting' | 'open' | 'lost' | 'over';
  /** When the phase began, by this page's clock, as all times here. */
  readonly since: number;
  /** When the last message of the host arrived. */
  readonly heardAt?: number | undefined;
  /** When the picture was taken. */
  readonly pictureAt?: number | undefined;
  readonly host: 'shown' | 'minimized' | 'gone' | 'waiting';
  /** Why it is over. */
  readonly reason?: string | undefined;
}

export interface LinkStatus {
  /** `live`: the picture is how the host looks. `late`: it may be. `old`: it is not. */
  readonly tone: 'live' | 'late' | 'old' | 'over';
  /** Short: a word or two. */
  readonly title: string;
  /** The full text, in sentences. */
  readonly text: string;
  /** For a live picture in which nothing moves: for how long. */
  readonly unchanged?: string;
}

/** A silent host is not called live. It answers a ping every 2 s. */
export const silentMs = 4_500;
/** After this time without a message the connection is made again. */
export const deadMs = 9_000;
const restMs = 3_000;

export function statusOf(facts: LinkFacts, now: number): LinkStatus {
  const { phase, host, heardAt, pictureAt, since, reason } = facts;
  const age = pictureAt === undefined ? '' : ` The picture is ${durationText(now - pictureAt)} old.`;
  if (phase === 'over') return { tone: 'over', title: 'Ended', text: reason ?? 'The session has ended.' };
  if (phase === 'lost') return { tone: 'old', title: 'Lost', text: `No connection for ${durationText(now - since)}, trying again.${age}` };
  if (phase === 'connecting') return { tone: 'old', title: 'Connecting', text: `Connecting for ${durationText(now - since)}.${age}` };
  const silence = now - (heardAt ?? since);
  if (silence >= silentMs) return { tone: 'late', title: 'No answer', text: `The host has not answered for ${durationText(silence)}.${age}` };
  if (host === 'minimized') return { tone: 'old', title: 'Minimised', text: `The host's window is minimised, so nothing new can be shown.${age}` };
  if (host === 'gone') return { tone: 'old', title: 'Closed', text: `The host closed its window; it is shown when it opens again.${age}` };
  if (host === 'waiting' || pictureAt === undefined)
    return { tone: 'old', title: 'Waiting', text: `Waiting for the first picture for ${durationText(now - since)}.` };
  const rest = now - pictureAt;
  if (rest < restMs) return { tone: 'live', title: 'Live', text: 'Live.' };
  return { tone: 'live', title: 'Live', text: `Live; nothing has changed for ${durationText(rest)}.`, unchanged: durationText(rest) };
}

/** How long to wait before the next attempt; the first comes at once. */
export function waitBeforeTry(failures: number, random?: () => number): number {
  return failures === 0 ? 0 : backoffMs(failures - 1, { first: 500, longest: 5_000 }, random);
}

export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** The offset of the host's clock from this page's clock, calculated from a ping and its answer. */
export function clockOffset(askedAt: number, answeredAt: number, hostAt: number): number {
  return hostAt - (askedAt + answeredAt) / 2;
}
