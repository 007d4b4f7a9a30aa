// Describes the heartbeat's state and past runs as text for every client. Pure; runs in browsers too.
import { t, table, tn } from '#page/kit/t.ts';
import { rowOf } from '#page/kit/words.ts';

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

/** Describes the current state. @param idle text for an idle heartbeat */
export function stateText({ state, quietHours }: WordedView, idle: string): string {
  return {
    ...{ off: t('Off'), idle, waiting: t('Thinks when it is quiet'), thinking: t('Thinking'), muted: t('Muted until tomorrow') },
    ...{ quiet_hours: t('Quiet hours, {quietHours}', { quietHours }), no_model: t('Waits for a model') },
  }[state];
}

const reasons: Readonly<Record<string, string>> = table({
  not_json: 'the model answered in prose',
  half_json: 'the reply was cut off',
  too_long: 'the reply was too long',
  wrong_shape: 'the reply had the wrong format',
  busy: 'a turn began',
  stopped: 'the server was stopped',
  budget: 'the budget is spent',
  MODELS_ERR_TIMED_OUT: 'the model took too long',
});

const held: Readonly<Record<string, string>> = table({
  surface_off: 'The nudge is only logged (setting).',
  not_sure_enough: 'Its nudge was not sure enough.',
  hour_limit: 'Its nudge was one too many for this hour.',
  said_before: 'The nudge was a repeat.',
});

/** Describes the outcome of a run. */
export function runText({ outcome, reason = '', summary = '', nudge }: WordedRun): string {
  const why = reasons[reason] ?? t('the model could not be asked ({reason})', { reason });
  if (outcome === 'interrupted') return t('Cut off: the server ended.');
  if (outcome !== 'completed') return outcome === 'failed' ? t('Came to nothing: {why}.', { why }) : t('Left: {why}.', { why });
  const kept = nudge && !nudge.isShown ? ` ${held[nudge.why ?? ''] ?? t('Its nudge was not shown.')}` : '';
  return `${summary || (nudge ? t('A nudge.') : t('Nothing worth a word.'))}${kept}`;
}

export interface WordedDay {
  readonly runs: number;
  readonly failed: number;
  readonly shown: number;
  readonly used: number;
  readonly dismissed: number;
}

/** Formats the totals of a day's runs, without cost. */
export function dayText({ runs, failed, shown, used, dismissed }: WordedDay): string {
  if (runs === 0) return t('nothing yet');
  return rowOf([
    tn(runs, '{count} thought', '{count} thoughts'),
    ...(failed === 0 ? [] : [t('{failed} failed', { failed })]),
    shown === 0 ? t('no nudge') : t('{nudges}: {used} used, {dismissed} dismissed', { nudges: tn(shown, '{count} nudge', '{count} nudges'), used, dismissed }),
  ]);
}
