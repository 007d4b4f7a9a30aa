// Defines how each mood changes the colours.
import type { UiTheme } from '../theme-schema.ts';

export interface Mood {
  /** The lightness of the brightest background in light mode. */
  readonly day: number;
  /** Additional lightness of the backgrounds in dark mode. */
  readonly night: number;
  /** Strength of the background hue in light and dark mode. */
  readonly tint: readonly [day: number, night: number];
  /** Limits for the chroma of the accent, unless it is grey. */
  readonly accent: readonly [least: number, most: number];
}

export const moodOf: Readonly<Record<UiTheme['mood'], Mood>> = {
  calm: { day: 0.994, night: 0.005, tint: [0.007, 0.011], accent: [0.04, 0.115] },
  warm: { day: 0.988, night: 0.008, tint: [0.013, 0.013], accent: [0.06, 0.17] },
  fresh: { day: 1, night: 0, tint: [0.009, 0.015], accent: [0.09, 0.2] },
  playful: { day: 0.986, night: 0.012, tint: [0.018, 0.026], accent: [0.12, 0.26] },
  serious: { day: 1, night: -0.018, tint: [0.002, 0.004], accent: [0.02, 0.095] },
  bold: { day: 1, night: -0.045, tint: [0.004, 0.007], accent: [0.15, 0.3] },
  dreamy: { day: 0.98, night: 0.016, tint: [0.021, 0.036], accent: [0.06, 0.15] },
};
