// What the page wears while a look is tried, on a page that is only a list of values.
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

test('a look that is tried stays on while the one in force is read again or changes, and then gives way to it', () => {
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
