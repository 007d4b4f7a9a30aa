// Defines the contract of the forecast: the likely cost of a user's turn, computed before and during the turn.
import type { Static } from 'typebox';
import type { Frozen } from '#lib/values';
import type { eventSchema, forecastSchema } from './forecast-schema.ts';

/** The likely cost of a turn, in the given unit. */
export type Forecast = Frozen<Static<typeof forecastSchema>>;
export type ForecastUnit = Forecast['unit'];
/** Payload of the event `turn_forecast`. */
export type TurnForecast = Frozen<Static<typeof eventSchema>>;

declare module 'agent-harness/kernel' {
  interface Events {
    turn_forecast: TurnForecast;
  }
}
