// Converts hex colours to lightness, chroma and hue (OKLCH), and back.
import { clampChroma, formatHex, modeLrgb, modeOklab, modeOklch, modeRgb, useMode, wcagContrast } from 'culori/fn';

useMode(modeRgb);
useMode(modeLrgb);
useMode(modeOklab);
const toOklch = useMode(modeOklch);

/** Lightness 0 to 1, chroma 0 to about 0.37, hue in degrees. */
export interface Lch {
  readonly l: number;
  readonly c: number;
  readonly h: number;
}

export function lchOf(hex: string): Lch {
  const { l = 0, c = 0, h = 0 } = toOklch(hex) ?? {};
  return { l, c, h };
}

/** Returns the nearest displayable colour with the same lightness and hue. */
export function hexOf({ l, c, h }: Lch): string {
  return formatHex(clampChroma({ mode: 'oklch', l: Math.min(1, Math.max(0, l)), c, h }, 'oklch')) ?? '#000000';
}

/** Returns the WCAG 2 contrast ratio, 1 to 21. */
export const contrastOf = (a: string, b: string): number => wcagContrast(a, b);

/** Returns the lowest contrast with any of the colours. */
export const leastContrast = (colour: string, grounds: readonly string[]): number => Math.min(...grounds.map((ground) => contrastOf(colour, ground)));

/** Equals `color-mix(in oklab, a part, b)`. */
export function mixOf(a: string, part: number, b: string): string {
  const [one, other] = [a, b].map((hex) => useMode(modeOklab)(hex));
  if (!one || !other) return a;
  const mix = (from: number, to: number): number => from * part + to * (1 - part);
  return formatHex({ mode: 'oklab', l: mix(one.l, other.l), a: mix(one.a, other.a), b: mix(one.b, other.b) });
}
