// What others see of the theme of a persona.
import type { UiTheme } from './theme-schema.ts';

export type { UiTheme } from './theme-schema.ts';

/** Colours of the page, by the names of its tokens without the dashes before them: `surface`, `text`, `code-keyword`. Each is `#rrggbb`. */
export type Colours = Readonly<Record<ColourName, string>>;

export type GroundName = 'surface' | 'surface-sunken' | 'surface-raised' | 'surface-hover' | 'accent-soft' | 'good-soft' | 'warn-soft' | 'bad-soft';
export type InkName =
  'text' | 'text-muted' | 'accent' | 'good' | 'warn' | 'bad' | 'code-comment' | 'code-keyword' | 'code-string' | 'code-number' | 'code-title' | 'code-type';
export type ColourName = GroundName | InkName | 'border' | 'border-strong' | 'accent-text';

/** All that a theme changes of the page, ready to be put there. */
export interface Palette {
  readonly light: Colours;
  readonly dark: Colours;
  /** Custom properties that are the same by day and by night: corners, room, letters. Values of our own lists, none of a theme. */
  readonly measures: Readonly<Record<string, string>>;
}

/** A theme with what it makes of the page: the field `personaUiTheme` of `GET /api/config`. */
export interface ShownTheme {
  readonly theme: UiTheme;
  readonly palette: Palette;
  /** The palette as values of the page's design tokens, by their names. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** How well things stand out from where they stand, at least: 1 to 21, as WCAG 2 counts it. */
export interface Contrasts {
  readonly text: number;
  readonly quietText: number;
  readonly links: number;
  readonly buttons: number;
  readonly edges: number;
}

declare module 'agent-harness/kernel' {
  interface Events {
    look_changed: Record<string, never>;
  }
}
