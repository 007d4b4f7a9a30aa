// What built-ins show in the page: each names its plugin, and a distribution without that one has no trace of it.
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { shownOf, type Contribution } from '../../../builtins/clients/web-ui/app/points/contribution.ts';

const found = import.meta.glob<{ contribution: Contribution }>('../../../builtins/*/*/ui/contribution.tsx', { eager: true });
const { platformPages } = (await import(/* @vite-ignore */ join(import.meta.dirname, '../../../builtins/clients/web-ui/app/pages/platform-pages.tsx'))) as {
  platformPages: readonly Contribution[];
};
const features = Object.entries(found).map(([path, { contribution }]) => ({ folder: basename(join(path, '../..')), contribution }));
const all = [...platformPages, ...features.map(({ contribution }) => contribution)];
const everyone = new Set(['connections', ...features.map(({ folder }) => folder)]);
const tracesOf = (contributions: readonly Contribution[]): string[] =>
  contributions
    .flatMap(({ pages = [], parts = [], toolResults = [], chatActions = [], firstRun }) => [
      ...pages.map(({ page }) => `page ${page}`),
      ...parts.map(({ slot, title }) => `part of ${slot}: ${title}`),
      ...toolResults.flatMap(({ tools }) => tools),
      ...chatActions.map(({ title }) => `action ${title}`),
      ...(firstRun ? ['first run'] : []),
    ])
    .sort();

test('each folder says the name of its plugin, and together they show what the page has', () => {
  expect(features.map(({ folder, contribution }) => [folder, contribution.plugin]).filter(([folder, plugin]) => folder !== plugin)).toEqual([]);
  const pages = shownOf(all, everyone).flatMap(({ pages: some = [] }) => some.map(({ page }) => page));
  expect(pages.sort()).toEqual(['account', 'changes', 'connections', 'memory', 'plugins', 'search', 'settings', 'trash', 'usage']);
});

test.each(features)('without $folder there is nothing of it', ({ folder, contribution }) => {
  const own = tracesOf([contribution]);
  expect(own).not.toEqual([]);
  const left = tracesOf(shownOf(all, new Set([...everyone].filter((name) => name !== folder))));
  expect(left.filter((trace) => own.includes(trace))).toEqual([]);
});

test('a page that is made of parts of others is there as long as one of these is', () => {
  const isThere = (...active: string[]): boolean => shownOf(all, new Set(active)).some(({ pages = [] }) => pages.some(({ page }) => page === 'account'));
  expect([isThere('hub', 'pairing'), isThere('hub'), isThere('pairing'), isThere()]).toEqual([true, true, true, false]);
});

test('nobody has to be active for what is as old as the page', () => {
  const pages = shownOf(all, new Set()).flatMap(({ pages: some = [] }) => some.map(({ page }) => page));
  expect(pages).toEqual(['search', 'usage', 'plugins', 'settings', 'trash']);
});
