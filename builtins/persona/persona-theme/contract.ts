// Defines the contract of the persona's theme for other plugins.
import type { UiTheme } from './theme-schema.ts';

export type { UiTheme } from './theme-schema.ts';

/** Colours of the page by token name without the leading dashes: `surface`, `text`, `code-keyword`. Each is `#rrggbb`. */
export type Colours = Readonly<Record<ColourName, string>>;

export type GroundName = 'surface' | 'surface-sunken' | 'surface-raised' | 'surface-hover' | 'accent-soft' | 'good-soft' | 'warn-soft' | 'bad-soft';
export type InkName =
  'text' | 'text-muted' | 'accent' | 'good' | 'warn' | 'bad' | 'code-comment' | 'code-keyword' | 'code-string' | 'code-number' | 'code-title' | 'code-type';
export type ColourName = GroundName | InkName | 'border' | 'border-strong' | 'accent-text';

/** All changes of a theme to the page, ready to be applied. */
export interface Palette {
  readonly light: Colours;
  readonly dark: Colours;
  /** Custom properties that are the same in light and dark mode: corners, spacing, fonts. Values come from fixed lists, never from a theme. */
  readonly measures: Readonly<Record<string, string>>;
}

/** A theme with its palette, as in the field `personaUiTheme` of `GET /api/config`. */
export interface ShownTheme {
  readonly theme: UiTheme;
  readonly palette: Palette;
  /** Values of the page's design tokens, by name. */
  readonly tokens: Readonly<Record<string, string>>;
}

/** Minimum contrast ratios, 1 to 21, as defined by WCAG 2. */
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
