// The lines that stand for what was neither said nor done; as the transcript of the server words them.

const endings: Readonly<Record<string, string>> = {
  aborted: 'Stopped by the user.',
  round_limit: 'Stopped: the limit of rounds or of time was reached.',
  interrupted: 'Interrupted: the server ended while this was running.',
  budget: 'Stopped: the budget is used up.',
};

export function endingText(reason: string): string {
  return endings[reason] ?? reason;
}

/** What became of a call that was not let through, in a word or two: who decided matters. */
export function refusalText(by: string): string {
  return { timeout: 'Nobody decided in time', abort: 'Stopped', rule: 'Refused by a rule' }[by] ?? 'Rejected';
}

export const unqueuedText = 'Taken back: it waited behind what was stopped, so it was not heard.';
export const resetText = 'From here on, what was said before is forgotten.';
export const compressedText = 'Earlier parts of the conversation were summarised.';

/** A check of the answer found something. */
export function doubtText(problems: readonly string[], isSentBack: boolean): string {
  const what = problems.length === 0 ? 'A check of the answer failed.' : `A check of the answer found: ${problems.join('; ')}.`;
  return isSentBack ? `${what} It is given once more.` : what;
}

export function restoredText(restored: number, conflicts: number): string {
  const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);
  const left = conflicts === 0 ? '' : ` ${files(conflicts)} changed since and ${conflicts === 1 ? 'was' : 'were'} left alone.`;
  return `Changes were taken back in ${files(restored)}.${left}`;
}
