// Converts a palette to the page's design tokens. The setting of the page still selects light or dark mode.
import type { ColourName, Palette } from '../contract.ts';

export function tokensOf({ light, dark, measures }: Palette): Readonly<Record<string, string>> {
  const names = Object.keys(light) as ColourName[];
  return { ...Object.fromEntries(names.map((name): [string, string] => [name, `light-dark(${light[name]}, ${dark[name]})`])), ...measures };
}
