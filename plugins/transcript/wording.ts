// The sentences that stand for what was neither said nor done: for every client the same.

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

/** What became of a call that was not let through, in a word or two: who decided matters. */
export function refusalText(by: string): string {
  return { timeout: 'Nobody decided in time', abort: 'Stopped', rule: 'Refused by a rule' }[by] ?? 'Rejected';
}

export const unqueuedText = 'Taken back: it waited behind what was stopped, so it was not heard.';
export const resetText = 'From here on, what was said before is forgotten.';
