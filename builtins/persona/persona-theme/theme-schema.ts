// Defines a theme: choices from predefined lists, and two colours. No part of it is interpreted as CSS or HTML.
import * as Type from 'typebox';

/** Moods, which determine the strength of the colours and the depth of the dark mode. */
export const moods = ['calm', 'warm', 'fresh', 'playful', 'serious', 'bold', 'dreamy'] as const;
/** Roundness of corners. */
export const shapes = ['sharp', 'soft', 'round'] as const;
/** Spacing between elements. */
export const densities = ['compact', 'normal', 'airy'] as const;
/** Fonts available on the user's own machine. */
export const fonts = ['sans', 'humanist', 'rounded', 'serif', 'mono'] as const;

export interface UiTheme {
  readonly mood: (typeof moods)[number];
  readonly shape: (typeof shapes)[number];
  readonly density: (typeof densities)[number];
  readonly font: (typeof fonts)[number];
  /** Colour of links, buttons and selections: `#rrggbb` in lower case, as is {@link UiTheme.ground}. */
  readonly accent: string;
  /** Colour that provides the hue of the backgrounds; the mood determines its strength. */
  readonly ground: string;
}

const choice = (names: readonly string[], description: string) => Type.Enum([...names], { description });
const colour = (description: string) => Type.String({ pattern: '^#[0-9a-f]{6}$', description });

export const uiThemeSchema = Type.Object(
  {
    mood: choice(moods, 'Strength of the colours, and depth of the dark mode.'),
    shape: choice(shapes, 'Roundness of the corners.'),
    density: choice(densities, 'Spacing between elements.'),
    font: choice(fonts, 'The fonts.'),
    accent: colour('Colour of links, buttons and selections: six digits in lower case, as in #2f57c9.'),
    ground: colour('Hue of the backgrounds; the mood determines its strength.'),
  },
  { additionalProperties: false },
);
