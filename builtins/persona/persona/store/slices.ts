// Defines the sections of a character: names, files and limits.
import { textStart } from '#lib/text';
import type { MadeSlice, SliceName } from '../contract.ts';

/** Names of the sections in prompt order: prohibitions come before tone. */
export const madeSlices = ['rails', 'identity', 'voice', 'stance'] as const satisfies readonly MadeSlice[];
export const sliceNames = [...madeSlices, 'living'] as const satisfies readonly SliceName[];

/** Limits in tokens, as counted by {@link tokensIn}; at most 700 in total, including the surrounding text. */
export const maxTokens: Readonly<Record<SliceName, number>> = { identity: 105, voice: 140, stance: 115, rails: 120, living: 125 };

/** Maximum length in UTF-16 code units; a longer text is rejected without counting its tokens. */
export const maxSliceText = 4_000;

export const fileOfSlice = (name: SliceName): string => `soul/${name}.md`;

export function isSliceName(text: string): text is SliceName {
  return (sliceNames as readonly string[]).includes(text);
}

/** Estimates the number of tokens in a text. The estimate tends to be too high, because the provider's count is not known in advance. */
export function tokensIn(text: string): number {
  let plain = 0;
  let other = 0;
  for (const sign of text) {
    if (sign <= '\u007f') plain++;
    else other += sign < '\u0530' ? 0.7 : 1;
  }
  return Math.ceil(plain / 3.6 + other);
}

/** Returns as many whole lines as fit into the limit, followed by as many whole words. */
export function fitTokens(text: string, most: number): string {
  if (tokensIn(text) <= most) return text;
  let kept = '';
  for (const piece of textStart(text, maxSliceText).split(/(?<=\s)/)) {
    if (tokensIn(kept + piece) > most) break;
    kept += piece;
  }
  return kept.trim();
}

/** Normalises line breaks and the end of the file. */
export function tidyText(text: string): string {
  return text.replaceAll('\r\n', '\n').trim();
}
