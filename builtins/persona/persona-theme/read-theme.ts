// Validates external themes from a file, a request or a model. Accepts only valid choices and colours.
import { isRecord } from '#lib/values';
import { densities, fonts, moods, shapes, type UiTheme } from './theme-schema.ts';

const lists = { mood: moods, shape: shapes, density: densities, font: fonts } as const;
const colours = ['accent', 'ground'] as const;

/** Validates a theme; `undefined` unless all fields are present and valid, without additional fields. */
export function readTheme(value: unknown): UiTheme | undefined {
  if (!isRecord(value) || Object.keys(value).length !== Object.keys(lists).length + colours.length) return undefined;
  const isChosen = Object.entries(lists).every(([name, list]) => isChoice(list, value[name]));
  const isColoured = colours.every((name) => value[name] !== undefined && colourOf(value[name]) === value[name]);
  return isChosen && isColoured ? (value as unknown as UiTheme) : undefined;
}

/** Applies the valid fields to a valid theme. Returns `undefined` if no field is valid. @param value theme as the model returned it */
export function tidyTheme(value: unknown, otherwise: UiTheme): UiTheme | undefined {
  if (!isRecord(value)) return undefined;
  const taken: Record<string, string> = {};
  for (const [name, list] of Object.entries(lists)) {
    const chosen = wordOf(value[name]);
    if (isChoice(list, chosen)) taken[name] = chosen;
  }
  for (const name of colours) {
    const colour = colourOf(value[name]);
    if (colour !== undefined) taken[name] = colour;
  }
  return Object.keys(taken).length === 0 ? undefined : { ...otherwise, ...taken };
}

/** Returns `#rrggbb` in lower case; expands three digits to six. Rejects colour names, functions and surrounding text. */
export function colourOf(value: unknown): string | undefined {
  const text = wordOf(value);
  if (text === undefined) return undefined;
  if (/^#[0-9a-f]{6}$/.test(text)) return text;
  return /^#[0-9a-f]{3}$/.test(text) ? text.replace(/[0-9a-f]/g, '$&$&') : undefined;
}

const wordOf = (value: unknown): string | undefined => (typeof value === 'string' && value.length <= 40 ? value.trim().toLowerCase() : undefined);
const isChoice = (list: readonly string[], value: unknown): value is string => typeof value === 'string' && list.includes(value);
