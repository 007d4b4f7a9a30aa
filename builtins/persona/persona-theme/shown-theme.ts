// Provides the active theme with its design tokens, which are computed once.
import { stableJson } from '#lib/values';
import type { Contrasts, ShownTheme } from './contract.ts';
import { readTheme } from './read-theme.ts';
import type { UiTheme } from './theme-schema.ts';

export interface ShownThemes {
  /** Returns the active theme; `null` if the page has no theme. */
  read(): Promise<ShownTheme | null>;
  /** Returns the palette and contrasts of any theme, active or not. */
  preview(theme: UiTheme): Promise<ShownTheme & { readonly contrast: Readonly<Record<'light' | 'dark', Contrasts>> }>;
}

/** @param stored returns the stored value, which may be invalid */
export function createShownTheme(stored: () => Promise<unknown>): ShownThemes {
  let known: { readonly key: string; readonly shown: Promise<ShownTheme> } | undefined;

  return {
    async read() {
      const theme = readTheme(await stored());
      if (!theme) return null;
      const key = stableJson(theme);
      if (known?.key !== key) known = { key, shown: show(theme) };
      return known.shown;
    },
    async preview(theme) {
      const [shown, { contrastsOf }] = await Promise.all([show(theme), import('./palette/palette.ts')]);
      return { ...shown, contrast: { light: contrastsOf(shown.palette.light), dark: contrastsOf(shown.palette.dark) } };
    },
  };
}

async function show(theme: UiTheme): Promise<ShownTheme> {
  const [{ paletteOf }, { tokensOf }] = await Promise.all([import('./palette/palette.ts'), import('./palette/tokens.ts')]);
  const palette = paletteOf(theme);
  return { theme, palette, tokens: tokensOf(palette) };
}
