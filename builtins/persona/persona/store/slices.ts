// Defines the slices of a character: names, files and limits.
import { textStart } from '#lib/text';
import type { MadeSlice, SliceName } from '../contract.ts';

/** In the order in which the model reads them: prohibitions come before tone. */
export const madeSlices = ['rails', 'identity', 'voice', 'stance'] as const satisfies readonly MadeSlice[];
export const sliceNames = [...madeSlices, 'living'] as const satisfies readonly SliceName[];

/** In tokens, as {@link tokensIn} counts them; with the words around them no more than 700. */
export const maxTokens: Readonly<Record<SliceName, number>> = { identity: 105, voice: 140, stance: 115, rails: 120, living: 125 };

/** In UTF-16 units: anything longer is too long in any script, and is not analysed. */
export const maxSliceText = 4_000;

export const fileOfSlice = (name: SliceName): string => `soul/${name}.md`;

export function isSliceName(text: string): text is SliceName {
  return (sliceNames as readonly string[]).includes(text);
}

/** Overestimates: a provider's own count is unknown before it responds. */
export function tokensIn(text: string): number {
  let plain = 0;
  let other = 0;
  for (const sign of text) {
    if (sign <= '\u007f') plain++;
    else other += sign < '\u0530' ? 0.7 : 1;
  }
  return Math.ceil(plain / 3.6 + other);
}

/** As many whole lines, then whole words, as fit. */
export function fitTokens(text: string, most: number): string {
  if (tokensIn(text) <= most) return text;
  let kept = '';
  for (const piece of textStart(text, maxSliceText).split(/(?<=\s)/)) {
    if (tokensIn(kept + piece) > most) break;
    kept += piece;
  }
  return kept.trim();
}

/** Normalises a slice for storage, whatever an editor does with line ends and the end of the file. */
export function tidyText(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
