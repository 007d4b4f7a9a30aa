// Derives a theme from a text without a model: from the words of the text, otherwise from its hash. Equal texts yield equal themes.
import { colourOf } from './read-theme.ts';
import { namedHues, wordsOf } from './theme-words.ts';
import { densities, fonts, moods, shapes, type UiTheme } from './theme-schema.ts';

/** @param texts the user's text and texts derived from it; the first has the most weight */
export function themeOf(...texts: readonly string[]): UiTheme {
  const words = texts.flatMap(
    (text) =>
      text
        .toLowerCase()
        .normalize('NFC')
        .match(/#[0-9a-f]+|[\p{L}\p{N}]+/gu) ?? [],
  );
  const seed = hashOf(texts[0] ?? '');
  const mood = mostNamed(moods, words) ?? 'calm';
  const [from, span] = huesOf[mood];
  const hue = from + (seed % span);
  const hues = words.flatMap((word) => namedHues.get(word) ?? []);
  const [accent, ground] = [...new Set([...words.flatMap((word) => (word.startsWith('#') ? (colourOf(word) ?? []) : [])), ...hues])];
  return {
    mood,
    shape: mostNamed(shapes, words) ?? 'soft',
    density: mostNamed(densities, words) ?? 'normal',
    font: mostNamed(fonts, words) ?? 'sans',
    accent: accent ?? hexOfHue(hue),
    // A single named colour serves as both background and accent; two named colours have one role each.
    ground: ground ?? accent ?? hexOfHue(hue + ((seed >>> 9) % 60) - 30),
  };
}

/** Start and size of the hue range of each mood; used if no word names a colour. */
const huesOf: Readonly<Record<UiTheme['mood'], readonly [from: number, span: number]>> = {
  calm: [180, 80],
  warm: [8, 40],
  fresh: [140, 70],
  playful: [0, 360],
  serious: [205, 40],
  bold: [330, 90],
  dreamy: [250, 70],
};

/** Returns the choice that most words support; in a tie, the one that comes first in the list. */
function mostNamed<Name extends string>(names: readonly Name[], words: readonly string[]): Name | undefined {
  const counts = names.map((name) => ({ name, count: words.filter((word) => wordsOf.get(word)?.includes(name)).length }));
  const [most] = counts.toSorted((a, b) => b.count - a.count);
  return most !== undefined && most.count > 0 ? most.name : undefined;
}

/** Returns a plain colour of that hue. */
function hexOfHue(hue: number): string {
  const part = (offset: number): string => {
    const at = (offset + (((hue % 360) + 360) % 360) / 30) % 12;
    const value = 0.5 - 0.32 * Math.max(-1, Math.min(at - 3, 9 - at, 1));
    return Math.round(value * 255)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${part(0)}${part(8)}${part(4)}`;
}

/** FNV-1a, 32 bits. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const sign of text.trim()) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return hash;
}
