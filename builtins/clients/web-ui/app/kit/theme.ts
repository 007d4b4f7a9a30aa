// Manages the theme of the page: light, dark, or that of the system. The values are in tokens.css; a plugin may override them.
import { table } from './t.ts';

export type ThemeName = 'system' | 'light' | 'dark';

export const themes: readonly { readonly name: ThemeName; readonly label: string }[] = table([
  { name: 'system', label: 'As the system' },
  { name: 'light', label: 'Light' },
  { name: 'dark', label: 'Dark' },
]);

const key = 'theme';

export function readTheme(kept: Pick<Storage, 'getItem'>): ThemeName {
  const found = kept.getItem(key);
  return themes.find(({ name }) => name === found)?.name ?? 'system';
}

export function keepTheme(kept: Pick<Storage, 'setItem'>, name: ThemeName): void {
  kept.setItem(key, name);
}

export function applyTheme(name: ThemeName): void {
  const { documentElement } = document;
  if (name === 'system') delete documentElement.dataset['theme'];
  else documentElement.dataset['theme'] = name;
  paintBars();
}

/** Returns the effective theme. */
export function themeNow(): 'light' | 'dark' {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme === undefined && matchMedia('(prefers-color-scheme: dark)').matches) ? 'dark' : 'light';
}

/** Overrides values of tokens.css by token name and replaces earlier overrides; `undefined` removes them. Equivalent to the startup code in theme.js. */
export function putTokens(tokens: Readonly<Record<string, string>> | undefined): void {
  const { style, dataset } = document.documentElement;
  for (const name of dataset['tokens']?.split(' ') ?? []) style.removeProperty(`--${name}`);
  for (const [name, value] of Object.entries(tokens ?? {})) style.setProperty(`--${name}`, value);
  if (tokens) dataset['tokens'] = Object.keys(tokens).join(' ');
  else delete dataset['tokens'];
  paintBars();
}

/** Sets the colour of a phone's system bars: one for the light and one for the dark theme, unless the user chose a theme. */
function paintBars(): void {
  const { documentElement } = document;
  const [, light = '', dark = ''] = /light-dark\(\s*(#\w+),\s*(#\w+)\s*\)/.exec(getComputedStyle(documentElement).getPropertyValue('--surface')) ?? [];
  const chosen = documentElement.dataset['theme'];
  document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]').forEach((tag) => {
    const isDark = chosen === undefined ? tag.media.includes('dark') : chosen === 'dark';
    tag.content = isDark ? dark : light;
  });
}
