// Provides the effective theme: light or dark.
import { useSyncExternalStore } from 'react';
import { themeNow } from './theme.ts';

export const useThemeNow = (): 'light' | 'dark' => useSyncExternalStore(onChange, themeNow);

function onChange(listener: () => void): () => void {
  const night = matchMedia('(prefers-color-scheme: dark)');
  const observer = new MutationObserver(listener);
  night.addEventListener('change', listener);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return () => {
    night.removeEventListener('change', listener);
    observer.disconnect();
  };
}
