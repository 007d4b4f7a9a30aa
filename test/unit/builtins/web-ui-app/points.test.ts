// Tests the UI contributions of built-ins: each names its plugin and disappears without it.
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { pageAt, partsOf, routeOf, shownOf, type Contribution, type PageLink } from '../../../../builtins/clients/web-ui/app/points/contribution.ts';

const found = import.meta.glob<{ contribution: Contribution }>('../../../../builtins/*/*/ui/contribution.tsx', { eager: true });
const { platformPages } = (await import(/* @vite-ignore */ join(import.meta.dirname, '../../../../builtins/clients/web-ui/app/pages/platform-pages.tsx'))) as {
  platformPages: readonly Contribution[];
};
const { contributionOf } = await import(/* @vite-ignore */ join(import.meta.dirname, '../../../../builtins/clients/web-ui/app/points/panel-contribution.tsx'));
const features = Object.entries(found).map(([path, { contribution }]) => ({ folder: basename(join(path, '../..')), contribution }));
const all = [...platformPages, ...features.map(({ contribution }) => contribution)];
const everyone = new Set(['connections', ...features.map(({ folder }) => folder)]);
const tracesOf = (contributions: readonly Contribution[]): string[] =>
  contributions
    .flatMap(({ pages = [], parts = [], toolResults = [], chatActions = [], messageTools = [], entryTools = [], paneTabs = [], firstRun }) => [
      ...pages.map(({ page }) => `page ${page}`),
      ...parts.map(({ slot, title }) => `part of ${slot}: ${title}`),
      ...toolResults.flatMap(({ tools }) => tools),
      ...paneTabs.map(({ tab }) => `tab ${tab}`),
      ...chatActions.map(({ title }) => `action ${title}`),
      ...[...messageTools, ...entryTools].map(({ title }) => `tool ${title}`),
      ...(firstRun ? ['first run'] : []),
    ])
    .sort();

test('names the plugin of its folder in each contribution, and provides all pages together', () => {
  expect(features.map(({ folder, contribution }) => [folder, contribution.plugin]).filter(([folder, plugin]) => folder !== plugin)).toEqual([]);
  const pages = shownOf(all, everyone).flatMap(({ pages: some = [] }) => some.map(({ page }) => page));
  const known = ['account', 'came-from', 'changes', 'connections', 'export', 'import-agent', 'import-file', 'memory', 'pair', 'persona', 'plugins', 'prompts'];
  expect(pages.sort()).toEqual([...known, 'search', 'settings', 'team', 'trash', 'waiting']);
});

test.each(features)('shows no contribution of $folder without that plugin', ({ folder, contribution }) => {
  const own = tracesOf([contribution]);
  expect(own).not.toEqual([]);
  const left = tracesOf(shownOf(all, new Set([...everyone].filter((name) => name !== folder))));
  expect(left.filter((trace) => own.includes(trace))).toEqual([]);
});

test('shows a composed page while at least one plugin contributes to it', () => {
  const isThere = (...active: string[]): boolean => shownOf(all, new Set(active)).some(({ pages = [] }) => pages.some(({ page }) => page === 'account'));
  expect([isThere('hub', 'pairing'), isThere('hub'), isThere('pairing'), isThere()]).toEqual([true, true, true, false]);
});

test('orders the parts of a slot', () => {
  expect(partsOf(shownOf(all, everyone), 'connections').map(({ title }) => title)).toEqual(['The MCP servers', 'The OpenAPI documents', 'The accounts']);
  expect(partsOf(shownOf(all, new Set(['pairing'])), 'sign-in').map(({ title }) => title)).toEqual(['The pairing code']);
  const account = ['The paired devices', 'The account', 'Synchronised notes', 'The policy of the organisation', 'Remote sessions'];
  expect(partsOf(shownOf(all, everyone), 'account').map(({ title }) => title)).toEqual(account);
});

test("shows the pane tabs of active plugins that the device's role permits", () => {
  const tabs = (active: readonly string[], role: string): string[] =>
    shownOf(all, new Set(active), { role })
      .flatMap(({ paneTabs = [] }) => paneTabs.map(({ tab }) => tab))
      .sort();
  expect(tabs(['checkpoints', 'files'], 'owner')).toEqual(['changes', 'files', 'preview']);
  expect(tabs(['files'], 'member')).toEqual(['files', 'preview']);
  expect(tabs(['checkpoints', 'files'], 'viewer')).toEqual(['changes']);
});

test('shows platform pages without any active plugin', () => {
  const pages = shownOf(all, new Set()).flatMap(({ pages: some = [] }) => some.map(({ page }) => page));
  expect(pages).toEqual(['waiting', 'search', 'plugins', 'settings', 'trash']);
});

test('turns a third-party panel into the same contribution as a built-in', () => {
  const slots = ['header', 'over-composer', 'composer', 'first-run', 'settings', 'account', 'connections'];
  const panel = (id: string, slot: string, more: object = {}) => ({
    id,
    title: `Title of ${id}`,
    slot,
    plugin: 'outside',
    url: `/api/ui/modules/${id}.js`,
    ...more,
  });
  const made: Contribution = contributionOf([
    panel('own', 'panel', { icon: 'chart', order: 35 }),
    panel('ours', 'panel', { place: 'chat' }),
    panel('facts', 'tool_result', { tools: ['tell'] }),
    panel('marks', 'note', { events: ['mark_set'] }),
    panel('beside', 'pane', { icon: 'chart' }),
    ...slots.map((slot) => panel(`in-${slot}`, slot)),
  ]);
  expect(made.pages).toMatchObject([
    { page: 'panel', id: 'own', title: 'Title of own', order: 35 },
    { page: 'panel', id: 'ours', place: 'chat' },
  ]);
  expect(made.paneTabs).toMatchObject([{ tab: 'panel-beside', title: 'Title of beside', order: 50 }]);
  expect(made.parts?.map(({ slot, title }) => [slot, title])).toEqual(slots.map((slot) => [slot, `Title of in-${slot}`]));
  expect([made.toolResults?.map(({ tools }) => tools), made.notes?.map(({ events }) => events)]).toEqual([[['tell']], [['mark_set']]]);
  expect(shownOf([...all, made], new Set()).flatMap(({ pages = [] }) => pages.map(({ page, id }) => id ?? page))).toContain('account');
});

test('resolves a page link to its own page only', () => {
  const page = (name: string, more: Partial<PageLink> = {}): PageLink => ({ page: name, title: name, icon: () => null, Page: () => null, ...more });
  const pages = [page('usage'), page('changes', { place: 'chat' }), page('panel', { id: 'a' }), page('panel', { id: 'b', place: 'chat' })];
  for (const link of pages) expect(pageAt(pages, routeOf(link, link.place && 'chat_1'))).toBe(link);
  expect(routeOf(pages[3]!, 'chat_1')).toEqual({ page: 'panel', id: 'b', part: 'chat_1' });
  for (const route of [{ page: 'changes' }, { page: 'panel', id: 'b' }, { page: 'panel', id: 'c' }]) expect(pageAt(pages, route)).toBeUndefined();
  expect(pageAt(pages, { page: 'usage', id: 'days' })).toBe(pages[0]);
});
