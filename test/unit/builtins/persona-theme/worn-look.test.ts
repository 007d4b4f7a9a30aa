// Tests the theme preview on a page reduced to a map of style values.
import { afterEach, expect, test, vi } from 'vitest';
import { previewThemeTokens, applyThemeTokens } from '../../../../builtins/clients/web-ui/app/kit/applied-theme.ts';

const values = new Map<string, string>();
vi.stubGlobal('document', {
  documentElement: {
    style: { setProperty: (name: string, value: string) => void values.set(name, value), removeProperty: (name: string) => void values.delete(name) },
    dataset: {},
  },
  querySelectorAll: () => [],
});
vi.stubGlobal('getComputedStyle', () => ({ getPropertyValue: () => '' }));
afterEach(() => vi.unstubAllGlobals());

test('keeps a previewed theme while the active one changes, and then applies the active one', () => {
  applyThemeTokens({ accent: 'blue', radius: '2px' });
  previewThemeTokens({ accent: 'red' });
  expect(Object.fromEntries(values)).toEqual({ '--accent': 'red' });
  applyThemeTokens({ accent: 'green' });
  expect(Object.fromEntries(values)).toEqual({ '--accent': 'red' });
  previewThemeTokens(undefined);
  expect(Object.fromEntries(values)).toEqual({ '--accent': 'green' });
  applyThemeTokens(undefined);
  expect(values.size).toBe(0);
});
