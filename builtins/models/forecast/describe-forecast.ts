// Describes a forecast in sentences.
import type { Forecast, ForecastUnit, TurnForecast } from './contract.ts';
import { valueText } from 'agent-harness/view';

/** Returns `$0.42`, `12,000 tokens`. */
export function amountText(unit: ForecastUnit, value: number): string {
  return unit === 'usd' ? valueText(value, 'USD') : valueText(Math.round(value), 'tokens');
}

export function rangeText({ unit, low, high }: Pick<Forecast, 'unit' | 'low' | 'high'>): string {
  return `${amountText(unit, low)} to ${amountText(unit, high)}`;
}

/** States the share of four in five, because a range without its share has no meaning. */
export function forecastText(found: Forecast): string {
  return `It will likely come to ${amountText(found.unit, found.likely)}; of ${found.turns} turns of yours, weighed by how like this one they are, four of five came to ${rangeText(found)}.`;
}

/** Returns the line in the chat. */
export function describeForecast(said: TurnForecast): { readonly text: string } {
  const { phase, unit, soFar, turns } = said;
  if (phase === 'before') return { text: forecastText(said) };
  if (phase === 'plan') {
    const share = `of ${turns} turns of yours that came this far, weighed by how like this one they are, four of five came to ${rangeText(said)}`;
    return {
      text: `Carried out, the plan will likely bring this turn to ${amountText(unit, said.likely)}; ${share}. So far it is ${amountText(unit, soFar)}.`,
    };
  }
  const now = `The turn has come to ${amountText(unit, soFar)}, which is more than was likely.`;
  if (turns === 0) return { text: `${now} Fewer than five turns of yours came this far, so nobody can say where it ends.` };
  return {
    text: `${now} Of ${turns} turns of yours that came this far, half ended below ${amountText(unit, said.likely)}, and four of five at ${rangeText(said)}.`,
  };
}
