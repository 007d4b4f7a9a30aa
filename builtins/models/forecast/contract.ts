// What turns of a person will likely take, said before and while they run.

/** Event `turn_forecast`. */
export interface TurnForecast {
  readonly chatId: string;
  readonly turnId: string;
  /** `before`: nothing was asked of a model yet. `plan`: a plan is put before the person. `beyond`: the turn came to more than was said before. */
  readonly phase: 'before' | 'plan' | 'beyond';
  /** Of all numbers here: `usd` where the provider says what calls cost, else `tokens`, in and out. */
  readonly unit: ForecastUnit;
  /** Half of such turns came to less. */
  readonly likely: number;
  /** Four of five such turns lay between these. */
  readonly low: number;
  readonly high: number;
  /** What the turn came to so far; 0 before. */
  readonly soFar: number;
  /** How many turns of the past it rests on. */
  readonly turns: number;
}

export type ForecastUnit = 'usd' | 'tokens';

declare module 'agent-harness/kernel' {
  interface Events {
    turn_forecast: TurnForecast;
  }
}
