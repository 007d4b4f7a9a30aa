// Defines the slices of a character: names, files and limits.
import { textStart } from '#lib/text';
import type { MadeSlice, SliceName } from '../contract.ts';

/** Names of the slices in prompt order: prohibitions precede tone. */
export const madeSlices = ['rails', 'identity', 'voice', 'stance'] as const satisfies readonly MadeSlice[];
export const sliceNames = [...madeSlices, 'living'] as const satisfies readonly SliceName[];

/** Limits in tokens, as counted by {@link tokensIn}; at most 700 including the surrounding text. */
export const maxTokens: Readonly<Record<SliceName, number>> = { identity: 105, voice: 140, stance: 115, rails: 120, living: 125 };

/** Maximum length in UTF-16 code units, beyond which a text is rejected without counting. */
export const maxSliceText = 4_000;

export const fileOfSlice = (name: SliceName): string => `soul/${name}.md`;

export function isSliceName(text: string): text is SliceName {
  return (sliceNames as readonly string[]).includes(text);
}

/** Estimates the tokens of a text. Overestimates, as the provider's count is unknown in advance. */
export function tokensIn(text: string): number {
  let plain = 0;
  let other = 0;
  for (const sign of text) {
    if (sign <= '\u007f') plain++;
    else other += sign < '\u0530' ? 0.7 : 1;
  }
  return Math.ceil(plain / 3.6 + other);
}

/** Returns as many whole lines, then whole words, as fit. */
export function fitTokens(text: string, most: number): string {
  if (tokensIn(text) <= most) return text;
  let kept = '';
  for (const piece of textStart(text, maxSliceText).split(/(?<=\s)/)) {
    if (tokensIn(kept + piece) > most) break;
    kept += piece;
  }
  return kept.trim();
}

/** Normalises line ends and the end of the file. */
export function tidyText(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
