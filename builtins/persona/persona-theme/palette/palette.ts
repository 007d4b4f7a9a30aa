// Builds all colours of the page from a theme, for light and dark mode, with sufficient contrast.
import type { ColourName, Colours, Contrasts, GroundName, InkName, Palette } from '../contract.ts';
import type { UiTheme } from '../theme-schema.ts';
import { hexOf, leastContrast, lchOf, mixOf, type Lch } from './colour.ts';
import { measuresOf } from './measures.ts';
import { moodOf, type Mood } from './moods.ts';

/** WCAG 2 level AA with a margin for browsers that round differently. */
export const textContrast = 4.52;
export const controlContrast = 3.02;

type Time = 'day' | 'night';

/** Backgrounds of the page: lightness in light and dark mode, and strength of the background hue. */
const grounds: readonly (readonly [name: GroundName | 'border', day: number, night: number, tint: number])[] = [
  ['surface', 1, 0.217, 1],
  ['surface-sunken', 0.976, 0.186, 1.4],
  ['surface-raised', 1, 0.26, 1],
  ['surface-hover', 0.948, 0.3, 1.8],
  ['border', 0.908, 0.328, 2],
];

/** Colours for success, errors and code, which keep the hues of the default theme. */
const softs: readonly (readonly [name: GroundName, day: Lch, night: Lch])[] = [
  ['good-soft', { l: 0.95, c: 0.021, h: 157 }, { l: 0.296, c: 0.041, h: 156 }],
  ['warn-soft', { l: 0.961, c: 0.034, h: 85 }, { l: 0.311, c: 0.041, h: 85 }],
  ['bad-soft', { l: 0.945, c: 0.022, h: 11 }, { l: 0.297, c: 0.057, h: 3 }],
];
const signals: readonly (readonly [name: InkName, day: Lch, night: Lch])[] = [
  ['good', { l: 0.468, c: 0.109, h: 152 }, { l: 0.798, c: 0.115, h: 154 }],
  ['warn', { l: 0.456, c: 0.099, h: 69 }, { l: 0.839, c: 0.116, h: 82 }],
  ['bad', { l: 0.47, c: 0.17, h: 21 }, { l: 0.793, c: 0.121, h: 13 }],
  ['code-keyword', { l: 0.474, c: 0.172, h: 332 }, { l: 0.782, c: 0.125, h: 330 }],
  ['code-string', { l: 0.468, c: 0.109, h: 152 }, { l: 0.817, c: 0.097, h: 155 }],
  ['code-number', { l: 0.501, c: 0.128, h: 53 }, { l: 0.809, c: 0.102, h: 63 }],
  ['code-title', { l: 0.492, c: 0.151, h: 256 }, { l: 0.785, c: 0.097, h: 255 }],
  ['code-type', { l: 0.483, c: 0.08, h: 205 }, { l: 0.809, c: 0.08, h: 204 }],
];

/** Colours of text and symbols that must be readable on any background of the page. */
export const inkNames = ['text', 'text-muted', 'code-comment', 'accent', ...signals.map(([name]) => name)] as const satisfies readonly InkName[];
export const groundNames = [
  'surface',
  'surface-sunken',
  'surface-raised',
  'surface-hover',
  'accent-soft',
  'good-soft',
  'warn-soft',
  'bad-soft',
] as const satisfies readonly GroundName[];

/** Builds the palette; equal themes yield equal palettes. @param theme validated by its schema */
export function paletteOf(theme: UiTheme): Palette {
  return { light: coloursOf(theme, 'day'), dark: coloursOf(theme, 'night'), measures: measuresOf(theme) };
}

/** Measures the contrast of each text colour on its worst background. */
export function contrastsOf(colours: Colours): Contrasts {
  const under = groundNames.map((name) => colours[name]);
  return {
    text: leastContrast(colours.text, under),
    quietText: leastContrast(colours['text-muted'], under),
    links: leastContrast(colours.accent, under),
    buttons: leastContrast(colours['accent-text'], [colours.accent]),
    edges: leastContrast(colours['border-strong'], under),
  };
}

function coloursOf(theme: UiTheme, time: Time): Colours {
  const mood = moodOf[theme.mood];
  const accent = accentOf(lchOf(theme.accent), mood, time);
  const tint = tintOf(lchOf(theme.ground), mood, time);
  const at = (day: Lch, night: Lch): Lch => (time === 'day' ? day : night);
  const found: Partial<Record<ColourName, string>> = {};
  for (const [name, day, night, times] of grounds) {
    found[name] = hexOf({ l: time === 'day' ? day - (1 - mood.day) : night + mood.night, c: tint.c * times, h: tint.h });
  }
  // With a grey accent, selections are also grey.
  const soft = Math.min(accent.c, at({ l: 0, c: 0.024, h: 0 }, { l: 0, c: 0.053, h: 0 }).c);
  found['accent-soft'] = hexOf({ l: time === 'day' ? 0.947 - (1 - mood.day) / 2 : 0.297, c: soft, h: accent.h });
  for (const [name, day, night] of softs) found[name] = hexOf(at(day, night));

  const under = groundNames.map((name) => found[name] ?? '');
  const ink = (wanted: Lch, least = textContrast, on = under): string => readable(wanted, on, least, time);
  found.text = ink({ l: time === 'day' ? 0.226 : 0.945, c: Math.min(tint.c, 0.02), h: tint.h });
  found['text-muted'] = ink({ l: time === 'day' ? 0.476 : 0.729, c: Math.min(tint.c * 1.5 + 0.006, 0.03), h: tint.h });
  found['code-comment'] = ink({ l: time === 'day' ? 0.522 : 0.684, c: Math.min(tint.c * 1.5 + 0.006, 0.03), h: tint.h });
  found['border-strong'] = ink({ l: time === 'day' ? 0.631 : 0.614, c: Math.min(tint.c * 2 + 0.006, 0.04), h: tint.h }, controlContrast);
  for (const [name, day, night] of signals) found[name] = ink(at(day, night));
  found.accent = ink(accent);
  // A hovered button is slightly darker in light mode and slightly lighter in dark mode.
  const hovered = mixOf(found.accent, 0.9, found.text);
  const onAccent = { l: time === 'day' ? 1 : 0.22, c: time === 'day' ? 0 : Math.min(accent.c, 0.06), h: accent.h };
  found['accent-text'] = readable(onAccent, [found.accent, hovered], textContrast, time === 'day' ? 'night' : 'day');
  return found as Record<ColourName, string>;
}

/** Returns the accent with the mood's chroma and a suitable lightness. */
function accentOf({ l, c, h }: Lch, { accent: [least, most] }: Mood, time: Time): Lch {
  const isGrey = c < 0.02;
  const chroma = isGrey ? c : Math.min(most, Math.max(least, c));
  return time === 'day' ? { l: Math.min(l, 0.52), c: chroma, h } : { l: Math.max(l, 0.75), c: Math.min(chroma, 0.17), h };
}

/** Returns the hue of the backgrounds; with a grey colour, they stay grey. */
function tintOf({ c, h }: Lch, { tint: [day, night] }: Mood, time: Time): Lch {
  return { l: 0, c: (time === 'day' ? day : night) * Math.min(1, c / 0.05), h };
}

/** Returns the colour if it is readable on all backgrounds; otherwise the nearest readable colour that is darker (in light mode) or lighter (in dark mode). */
function readable(wanted: Lch, on: readonly string[], least: number, time: Time): string {
  const found = hexOf(wanted);
  if (leastContrast(found, on) >= least) return found;
  let [bad, good] = [wanted.l, time === 'day' ? 0 : 1];
  for (let step = 0; step < 8; step++) {
    const middle = (bad + good) / 2;
    if (leastContrast(hexOf({ ...wanted, l: middle }), on) >= least) good = middle;
    else bad = middle;
  }
  return hexOf({ ...wanted, l: good });
}
