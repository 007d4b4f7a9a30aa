// Tests the pure functions of the plugins page.
import type { PluginRow } from 'agent-harness/client';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { describePlugin, loadPluginTexts } from '../../../../builtins/clients/web-ui/app/pages/plugins/plugin-texts.ts';
import { stockBuiltins, stockPlatform } from '../../../../builtins/distribution/stock.ts';
import { root } from '../../../helpers/sources.ts';
import {
  filterPlugins,
  groupAdditions,
  remedyOf,
  sortPlugins,
  summarizeAdditions,
} from '../../../../builtins/clients/web-ui/app/pages/plugins/plugin-model.ts';

const chats: PluginRow = {
  ...{ name: 'chats', origin: 'platform', state: 'active', bootMs: 32.6 },
  adds: ['service:chats', 'route:GET /api/chats', 'route:POST /api/chats'],
};
const shell: PluginRow = { name: 'shell', origin: 'builtin', state: 'disabled', reason: 'switched off in the settings', bootMs: 3, adds: [] };
const weather: PluginRow = { name: 'weather', origin: 'user', state: 'failed', reason: 'ENOTFOUND', bootMs: 15.5, adds: [] };
const notes: PluginRow = { name: 'notes', origin: 'user', state: 'locked', entitlement: 'team.shared_memory', bootMs: 15.4, adds: [] };
const all = [chats, shell, weather, notes];
const names = (plugins: readonly PluginRow[]): string[] => plugins.map((plugin) => plugin.name);
const english = await loadPluginTexts('en');

test('finds plugins by id, displayed text and contributions', () => {
  expect(names(filterPlugins(all, 'SHE', english))).toEqual(['shell']);
  expect(names(filterPlugins(all, 'sandbox', english))).toEqual(['shell']);
  expect(names(filterPlugins(all, 'enotfound', english))).toEqual(['weather']);
  expect(names(filterPlugins(all, 'post /api/chats', english))).toEqual(['chats']);
  const bent: PluginRow = { ...chats, name: 'bent', warnings: ['A field is of no known type.'] };
  expect(names(filterPlugins([...all, bent], 'no known', english))).toEqual(['bent']);
});

test('keeps a found plugin in its place when it is switched off, also if only its contributions match', () => {
  const known = new Map([['chats', chats.adds]]);
  const off: PluginRow = { ...chats, state: 'disabled', adds: [] };
  expect(names(filterPlugins([chats, shell], 's', english))).toEqual(names(filterPlugins([shell, chats], 's', english)));
  expect(names(filterPlugins([off], 'post /api/chats', english, known))).toEqual(['chats']);
});

test('sorts each plugin into one section and lists plugins with problems first', () => {
  const own: PluginRow = { name: 'dice', origin: 'user', state: 'active', bootMs: 1, adds: [] };
  const quarantined: PluginRow = { ...own, name: 'bad-luck', state: 'disabled', reason: 'failed again and again' };
  const bent: PluginRow = { ...chats, name: 'bent', warnings: ['A field is of no known type.'] };
  const { troubled, installed, locked, groups } = sortPlugins([...all, own, quarantined, bent], english);
  expect(names(troubled)).toEqual(['bad-luck', 'bent', 'weather']);
  expect(names(installed)).toEqual(['dice']);
  expect(names(locked)).toEqual(['notes']);
  expect(groups.map(({ group, plugins }) => [group, names(plugins)])).toEqual([
    ['files', ['shell']],
    ['platform', ['chats']],
  ]);
});

test('has a title and description for every built-in plugin and group in every language', async () => {
  const languages = readdirSync(join(root, 'builtins/clients/web-ui/app/messages')).map((file) => basename(file, '.json'));
  for (const language of ['en', ...languages]) {
    const words = await loadPluginTexts(language);
    expect(Object.keys(words.plugins).toSorted()).toEqual([...stockPlatform, ...stockBuiltins].toSorted());
    expect(Object.keys(words.groups)).toEqual(Object.keys(words.members));
    for (const [title, about] of [...Object.values(words.plugins), ...Object.values(words.groups)])
      expect([title, about]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
    const titles = Object.values(words.plugins).map(([title]) => title);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
    if (language !== 'en') expect(words).not.toEqual(english);
  }
  const grouped = Object.values(english.members).flat();
  expect(grouped.filter((name, at) => grouped.indexOf(name) !== at || !Object.hasOwn(english.plugins, name))).toEqual([]);
  expect(describePlugin({ name: 'word-count' }, english)).toEqual({ title: 'Word count' });
});

test('groups contributions by kind, and summarizes three kinds and counts the rest', () => {
  expect(groupAdditions([...chats.adds, 'tool:roll', 'approval_rule:shell', 'approval_rule:files'])).toEqual([
    { title: 'tool', names: ['roll'] },
    { title: 'routes', names: ['GET /api/chats', 'POST /api/chats'] },
    { title: 'service', names: ['chats'] },
    { title: 'approval rule', names: ['shell', 'files'] },
  ]);
  expect(summarizeAdditions(chats.adds)).toBe('2 routes, 1 service');
  expect(summarizeAdditions(['tool:a', 'route:b', 'service:c', 'hook:d', 'hook:e', 'event:f'])).toBe('1 tool, 1 route, 1 service, 3 more');
});

test('suggests a remedy for a plugin that is not active', () => {
  expect(remedyOf(chats)).toBeUndefined();
  expect(remedyOf(notes)).toContain('tier team');
  expect(remedyOf({ state: 'locked', entitlement: 'acme.extra' })).toContain('account unlocks it');
  expect(remedyOf({ state: 'failed', asks: ['It may reach example.org.'] })).toBeUndefined();
  expect(remedyOf({ state: 'unmet' })).toContain('provides what it needs');
});
