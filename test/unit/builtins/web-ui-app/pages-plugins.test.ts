// The pure parts of the plugins page.
import type { PluginRow } from 'agent-harness/client';
import { expect, test } from 'vitest';
import {
  countStates,
  filterPlugins,
  groupAdditions,
  orderPlugins,
  remedyOf,
  summarizeAdditions,
} from '../../../../builtins/clients/web-ui/app/pages/plugins/plugin-model.ts';

const chats: PluginRow = {
  name: 'chats',
  origin: 'platform',
  state: 'active',
  bootMs: 32.6,
  adds: ['service:chats', 'route:GET /api/chats', 'route:POST /api/chats'],
};
const shell: PluginRow = { name: 'shell', origin: 'builtin', state: 'disabled', reason: 'switched off in the settings', bootMs: 3, adds: [] };
const weather: PluginRow = { name: 'weather', origin: 'user', state: 'failed', reason: 'ENOTFOUND', bootMs: 15.5, adds: [] };
const notes: PluginRow = { name: 'notes', origin: 'user', state: 'locked', entitlement: 'team.shared_memory', bootMs: 15.4, adds: [] };
const all = [chats, shell, weather, notes];
const names = (plugins: readonly PluginRow[]): string[] => plugins.map((plugin) => plugin.name);

test('plugins are found by name, by reason and by what they add', () => {
  expect(names(filterPlugins(all, { query: 'SHE' }))).toEqual(['shell']);
  expect(names(filterPlugins(all, { query: 'enotfound' }))).toEqual(['weather']);
  expect(names(filterPlugins(all, { query: 'post /api/chats' }))).toEqual(['chats']);
  expect(names(filterPlugins(all, { query: '' }))).toEqual(names(all));
});

test('plugins are found by their warnings, too', () => {
  const bent: PluginRow = { ...chats, name: 'bent', warnings: ['A field is of no known type.'] };
  expect(names(filterPlugins([...all, bent], { query: 'no known' }))).toEqual(['bent']);
});

test('state and origin narrow the list together', () => {
  expect(names(filterPlugins(all, { query: '', origin: 'user' }))).toEqual(['weather', 'notes']);
  expect(names(filterPlugins(all, { query: '', origin: 'user', state: 'locked' }))).toEqual(['notes']);
});

test('what needs somebody comes first, unless another order is wanted', () => {
  expect(names(orderPlugins(all, 'attention'))).toEqual(['weather', 'notes', 'chats', 'shell']);
  expect(names(orderPlugins(all, 'boot'))).toEqual(['chats', 'weather', 'notes', 'shell']);
  expect(names(orderPlugins(all, 'name'))).toEqual(['chats', 'notes', 'shell', 'weather']);
});

test('states are counted, and those without a plugin are left out', () => {
  expect(countStates(all)).toEqual([
    { state: 'failed', count: 1 },
    { state: 'locked', count: 1 },
    { state: 'disabled', count: 1 },
    { state: 'active', count: 1 },
  ]);
});

test('additions are grouped by kind; kinds of points that plugins made keep their name', () => {
  expect(groupAdditions([...chats.adds, 'tool:roll', 'approval_rule:shell', 'approval_rule:files'])).toEqual([
    { title: 'tool', names: ['roll'] },
    { title: 'routes', names: ['GET /api/chats', 'POST /api/chats'] },
    { title: 'service', names: ['chats'] },
    { title: 'approval rule', names: ['shell', 'files'] },
  ]);
});

test('a summary names three kinds and counts the rest', () => {
  expect(summarizeAdditions(chats.adds)).toBe('2 routes, 1 service');
  expect(summarizeAdditions(['tool:a', 'route:b', 'service:c', 'hook:d', 'hook:e', 'event:f'])).toBe('1 tool, 1 route, 1 service, 3 more');
});

test('a plugin that does not work says what would help', () => {
  expect(remedyOf(chats)).toBeUndefined();
  expect(remedyOf(notes)).toContain('tier team');
  expect(remedyOf({ state: 'locked', entitlement: 'acme.extra' })).toContain('account unlocks it');
  expect(remedyOf({ state: 'failed', asks: ['It may reach example.org.'] })).toBeUndefined();
  expect(remedyOf({ state: 'unmet' })).toContain('brings what it needs');
});
