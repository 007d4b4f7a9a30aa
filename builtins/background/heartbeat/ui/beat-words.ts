// What the heartbeat does and did, in words, for every client. Pure; runs in browsers, too.

export interface WordedView {
  readonly state: 'off' | 'idle' | 'waiting' | 'thinking' | 'muted' | 'quiet_hours' | 'no_model';
  readonly quietHours: string;
}

export interface WordedRun {
  readonly outcome?: 'completed' | 'failed' | 'skipped' | 'interrupted';
  readonly reason?: string;
  readonly summary?: string;
  readonly nudge?: { readonly isShown: boolean; readonly why?: string };
}

/** What it does now. @param idle what is said where it does nothing */
export function stateText({ state, quietHours }: WordedView, idle: string): string {
  return {
    ...{ off: 'Off', idle, waiting: 'Thinks when it is quiet', thinking: 'Thinking', muted: 'Muted until tomorrow' },
    ...{ quiet_hours: `Quiet hours, ${quietHours}`, no_model: 'Waits for a model' },
  }[state];
}

const reasons: Readonly<Record<string, string>> = {
  not_json: 'the model answered in prose',
  half_json: 'the answer broke off',
  too_long: 'the answer was too long',
  wrong_shape: 'the answer did not have the agreed shape',
  busy: 'a turn began',
  stopped: 'the server was stopped',
  budget: 'the budget is spent',
  MODELS_ERR_TIMED_OUT: 'the model took too long',
};

const held: Readonly<Record<string, string>> = {
  surface_off: 'Its nudge is only logged, as the setting says.',
  not_sure_enough: 'Its nudge was not sure enough.',
  hour_limit: 'Its nudge was one too many for this hour.',
  said_before: 'Its nudge had been said before.',
};

/** What a run came to. */
export function runText({ outcome, reason = '', summary = '', nudge }: WordedRun): string {
  const why = reasons[reason] ?? `the model could not be asked (${reason})`;
  if (outcome === 'interrupted') return 'Cut off: the server ended.';
  if (outcome !== 'completed') return `${outcome === 'failed' ? 'Came to nothing' : 'Left'}: ${why}.`;
  const kept = nudge && !nudge.isShown ? ` ${held[nudge.why ?? ''] ?? 'Its nudge was not shown.'}` : '';
  return `${summary || (nudge ? 'A nudge.' : 'Nothing worth a word.')}${kept}`;
}

export interface WordedDay {
  readonly runs: number;
  readonly failed: number;
  readonly shown: number;
  readonly used: number;
  readonly dismissed: number;
}

/** What the runs of a day came to, without what they cost. */
export function dayText({ runs, failed, shown, used, dismissed }: WordedDay): string {
  if (runs === 0) return 'nothing yet';
  const thoughts = `${runs} ${runs === 1 ? 'thought' : 'thoughts'}${failed === 0 ? '' : `, ${failed} failed`}`;
  return `${thoughts}, ${shown === 0 ? 'no nudge' : `${shown} ${shown === 1 ? 'nudge' : 'nudges'}: ${used} used, ${dismissed} dismissed`}`;
}
