// Formats the heartbeat's state and past runs as text for all clients. Pure; also runs in browsers.
import { t, table, tn } from '#page/kit/t.ts';
import { rowOf } from '#page/kit/short-texts.ts';

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

/** Describes the current state. @param idle text to return for an idle heartbeat */
export function stateText({ state, quietHours }: WordedView, idle: string): string {
  return {
    ...{ off: t('Off'), idle, waiting: t('Starts when the chat is idle'), thinking: t('Thinking'), muted: t('Muted until tomorrow') },
    ...{ quiet_hours: t('Quiet hours, {quietHours}', { quietHours }), no_model: t('No model configured') },
  }[state];
}

const reasons: Readonly<Record<string, string>> = table({
  not_json: 'the reply was not JSON',
  half_json: 'the reply was cut off',
  too_long: 'the reply was too long',
  wrong_shape: 'the reply had the wrong format',
  busy: 'a turn began',
  stopped: 'the server was stopped',
  budget: 'the budget is used up',
  MODELS_ERR_TIMED_OUT: 'the model took too long',
});

const held: Readonly<Record<string, string>> = table({
  surface_off: 'The nudge was only logged, as configured.',
  not_sure_enough: 'The confidence of the nudge was too low.',
  hour_limit: 'The hourly limit of nudges was reached.',
  said_before: 'The nudge repeated an earlier one.',
});

export function runText({ outcome, reason = '', summary = '', nudge }: WordedRun): string {
  const why = reasons[reason] ?? t('the model call failed ({reason})', { reason });
  if (outcome === 'interrupted') return t('Interrupted: the server stopped.');
  if (outcome !== 'completed') return outcome === 'failed' ? t('Failed: {why}.', { why }) : t('Skipped: {why}.', { why });
  const kept = nudge && !nudge.isShown ? ` ${held[nudge.why ?? ''] ?? t('The nudge was not shown.')}` : '';
  return `${summary || (nudge ? t('Left a nudge.') : t('Found nothing to report.'))}${kept}`;
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
    tn(runs, '{count} run', '{count} runs'),
    ...(failed === 0 ? [] : [t('{failed} failed', { failed })]),
    shown === 0 ? t('no nudge') : t('{nudges}: {used} used, {dismissed} dismissed', { nudges: tn(shown, '{count} nudge', '{count} nudges'), used, dismissed }),
  ]);
}
