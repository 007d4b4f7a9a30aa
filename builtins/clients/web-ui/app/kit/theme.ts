// Light, dark, or as the system is. A theme itself is a list of values in styles/tokens.css.
export type ThemeName = 'system' | 'light' | 'dark';

export const themes: readonly { readonly name: ThemeName; readonly label: string }[] = [
  { name: 'system', label: 'As the system' },
  { name: 'light', label: 'Light' },
  { name: 'dark', label: 'Dark' },
];

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
  // The bars of the phone around the page take its colour.
  const colour = getComputedStyle(document.body).backgroundColor;
  document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]').forEach((tag) => (tag.content = colour));
}
