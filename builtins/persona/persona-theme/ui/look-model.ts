// Defines the titles of the options in the theme editor, and compares themes. Pure.
import type { ReplyOf } from 'agent-harness/client';
import { table } from '#page/kit/t.ts';

export type Preview = ReplyOf<'POST /api/persona/theme/preview'>;
export type UiTheme = Preview['theme'];

type Titles<Name extends string> = Readonly<Record<Name, string>>;

export const moodTitles: Titles<UiTheme['mood']> = table({
  calm: 'Calm',
  warm: 'Warm',
  fresh: 'Fresh',
  playful: 'Playful',
  serious: 'Serious',
  bold: 'Bold',
  dreamy: 'Dreamy',
});
export const shapeTitles: Titles<UiTheme['shape']> = table({ sharp: 'Sharp', soft: 'Soft', round: 'Round' });
export const densityTitles: Titles<UiTheme['density']> = table({ compact: 'Compact', normal: 'Normal', airy: 'Airy' });
export const fontTitles: Titles<UiTheme['font']> = table({ sans: 'Plain', humanist: 'Humanist', rounded: 'Rounded', serif: 'Serif', mono: 'Typewriter' });

/** Initial values if no theme is active; close to the default theme. */
export const nearlyPlain: UiTheme = { mood: 'calm', shape: 'soft', density: 'normal', font: 'sans', accent: '#2f57c9', ground: '#7a7a6e' };

export const isSame = (one: UiTheme, other: UiTheme): boolean => (Object.keys(one) as (keyof UiTheme)[]).every((name) => one[name] === other[name]);
