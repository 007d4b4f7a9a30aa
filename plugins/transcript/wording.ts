// The sentences that stand for what was neither said nor done: for every client the same.
import type { Entry, Origin, RunningTurn } from './state.ts';

const endings: Readonly<Record<string, string>> = {
  aborted: 'Stopped by the user.',
  round_limit: 'Stopped: the limit of rounds or of time was reached.',
  interrupted: 'Interrupted: the server ended while this was running.',
  budget: 'Stopped: the budget is used up.',
};

/** How a turn ended that ended otherwise than by its reply. @param reason of its end */
export function endingText(reason: string): string {
  return endings[reason] ?? reason;
}

/** The reason of the ending that an entry tells of; `undefined` for one that tells of none. */
export function endingReason({ kind, code = '', turnId }: Entry & { readonly code?: string }): string | undefined {
  if (kind === 'error') return turnId === undefined ? undefined : 'error';
  return kind === 'system' && Object.hasOwn(endings, code) ? code : undefined;
}

/** What became of a call that was not let through, in a word or two: who decided matters. */
export function refusalText(by: string): string {
  return { timeout: 'Nobody decided in time', abort: 'Stopped', rule: 'Refused by a rule' }[by] ?? 'Rejected';
}

/** Who speaks where it is not the person, and why. */
export function originText({ plugin, reason }: Origin): string {
  return `${plugin}: ${reason}`;
}

export const unqueuedText = 'Taken back: it waited behind what was stopped, so it was not heard.';
export const resetText = 'From here on, what was said before is forgotten.';

/** Why the model is asked again, and when. @param now milliseconds since 1970 */
export function retryText({ attempt, of, reason, until }: NonNullable<RunningTurn['retry']>, now: number): string {
  const seconds = Math.ceil((Date.parse(until) - now) / 1_000);
  return `${reason.replace(/\.$/, '')}. Attempt ${attempt + 1} of ${of + 1} ${seconds > 0 ? `in ${seconds} s` : 'begins'}`;
}
