// The theme that is in force with what it makes of the page. It is worked out once for each theme.
import { stableJson } from 'agent-harness/lib/values';
import type { ShownTheme } from './contract.ts';
import { readTheme } from './read-theme.ts';

export interface ShownThemes {
  /** `null`: the page is plain. */
  read(): Promise<ShownTheme | null>;
  /** The tokens of the page as JSON; `undefined` where it is plain. */
  tokens(): Promise<string | undefined>;
}

/** @param stored what was kept, whoever wrote it */
export function createShownTheme(stored: () => Promise<unknown>): ShownThemes {
  let known: { readonly key: string; readonly shown: Promise<ShownTheme> } | undefined;

  async function read(): Promise<ShownTheme | null> {
    const theme = readTheme(await stored());
    if (!theme) return null;
    const key = stableJson(theme);
    if (known?.key !== key) known = { key, shown: import('./palette/palette.ts').then(({ paletteOf }) => ({ theme, palette: paletteOf(theme) })) };
    return known.shown;
  }

  return {
    read,
    async tokens() {
      const shown = await read();
      return shown ? JSON.stringify((await import('./palette/tokens.ts')).tokensOf(shown.palette)) : undefined;
    },
  };
}
