// The contract of the forecast: the likely cost of a user's turns, given before and while they run.

/** Event `turn_forecast`. */
export interface TurnForecast {
  readonly chatId: string;
  readonly turnId: string;
  /** `before`: no model was called yet. `plan`: a plan is presented to the user. `beyond`: the turn exceeded what was forecast. */
  readonly phase: 'before' | 'plan' | 'beyond';
  /** Unit of all numbers here: `usd` if the provider reports costs, otherwise `tokens`, input and output. */
  readonly unit: ForecastUnit;
  /** Half of such turns cost less. */
  readonly likely: number;
  /** Four of five such turns were between these. */
  readonly low: number;
  readonly high: number;
  /** The turn's cost so far; 0 before. */
  readonly soFar: number;
  /** The number of past turns that it is based on. */
  readonly turns: number;
}

export type ForecastUnit = 'usd' | 'tokens';

declare module 'agent-harness/kernel' {
  interface Events {
    turn_forecast: TurnForecast;
  }
}
