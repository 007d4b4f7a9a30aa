// Formats cost forecasts of turns as sentences.
import type { Forecast, ForecastUnit, TurnForecast } from './contract.ts';
import { valueText } from 'agent-harness/view';

/** Formats an amount as `$0.42` or `12,000 tokens`. */
export function amountText(unit: ForecastUnit, value: number): string {
  return unit === 'usd' ? valueText(value, 'USD') : valueText(Math.round(value), 'tokens');
}

export function rangeText({ unit, low, high }: Pick<Forecast, 'unit' | 'low' | 'high'>): string {
  return `${amountText(unit, low)} to ${amountText(unit, high)}`;
}

/** Describes a forecast with its 80% range, because a range without a probability has no meaning. */
export function forecastText(found: Forecast): string {
  return `Likely cost of the turn: ${amountText(found.unit, found.likely)}; 80% range: ${rangeText(found)}. Based on ${found.turns} of your past turns, weighted by similarity.`;
}

/** Returns the text that the chat shows for the event. */
export function describeForecast(said: TurnForecast): { readonly text: string } {
  const { phase, unit, soFar, turns } = said;
  if (phase === 'before') return { text: forecastText(said) };
  if (phase === 'plan') {
    const share = `80% range: ${rangeText(said)}. Based on ${turns} of your past turns that cost at least this much, weighted by similarity`;
    return {
      text: `Likely total cost of the turn with this plan: ${amountText(unit, said.likely)}; ${share}. Cost so far: ${amountText(unit, soFar)}.`,
    };
  }
  const now = `The turn has cost ${amountText(unit, soFar)} so far, which is more than forecast.`;
  if (turns === 0) return { text: `${now} Fewer than five of your past turns cost this much, so there is no new forecast.` };
  return {
    text: `${now} New forecast of the total: ${amountText(unit, said.likely)}; 80% range: ${rangeText(said)}. Based on ${turns} of your past turns that cost at least this much.`,
  };
}
