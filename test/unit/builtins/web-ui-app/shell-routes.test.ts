// Tests routes, shortcuts, the theme and connection indicators of the page frame.
import { expect, test } from 'vitest';
import { hashOf, readRoute } from '../../../../builtins/clients/web-ui/app/kit/hooks.ts';
import { describeWait, explain } from '../../../../builtins/clients/web-ui/app/frame/describe-connection.ts';
import { canKeepShell } from '../../../../builtins/clients/web-ui/app/frame/register-worker.ts';
import { isText, shortcutOf, shortcuts } from '../../../../builtins/clients/web-ui/app/frame/shortcuts.ts';
import { readTheme } from '../../../../builtins/clients/web-ui/app/kit/theme.ts';

test.each([
  ['', { page: 'chat' }],
  ['#', { page: 'chat' }],
  ['#/', { page: 'chat' }],
  ['#/chat/c_1', { page: 'chat', id: 'c_1' }],
  ['#/chat/c_1/msg_2', { page: 'chat', id: 'c_1', part: 'msg_2' }],
  ['#/settings', { page: 'settings' }],
  ['#/settings/', { page: 'settings' }],
  ['#/panel/a%2Fb', { page: 'panel', id: 'a/b' }],
  ['#/chat/100%', { page: 'chat', id: '100%' }],
])('parses the route %s', (hash, route) => {
  expect(readRoute(hash)).toEqual(route);
});

test('round-trips a route through its hash', () => {
  for (const route of [{ page: 'usage' }, { page: 'panel', id: 'ä/ö %' }, { page: 'chat', id: 'c', part: 'a/b' }])
    expect(readRoute(hashOf(route))).toEqual(route);
});

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) => ({
  ...{ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, repeat: false },
  ...held,
});

test('opens the palette with Ctrl, and with Command on a Mac, without Alt', () => {
  expect(shortcutOf(press('k', { ctrlKey: true }), false)).toBe('palette');
  expect(shortcutOf(press('k', { metaKey: true }), false)).toBeUndefined();
  expect(shortcutOf(press('k', { metaKey: true }), true)).toBe('palette');
  expect(shortcutOf(press('k', { ctrlKey: true }), true)).toBeUndefined();
  expect(shortcutOf(press('k', { ctrlKey: true, altKey: true }), false)).toBeUndefined();
});

test('treats a key without Ctrl as text', () => {
  for (const key of ['s', 'p', 'm', '?', 'é']) expect([shortcutOf(press(key), false), isText(press(key))]).toEqual([undefined, true]);
  for (const one of [press(' '), press('Escape'), press('a', { ctrlKey: true }), press('a', { altKey: true })]) expect(isText(one)).toBe(false);
});

test('requires Shift exactly where it is part of the shortcut', () => {
  expect(shortcutOf(press('O', { ctrlKey: true, shiftKey: true }), false)).toBe('new-chat');
  expect(shortcutOf(press('o', { ctrlKey: true }), false)).toBeUndefined();
});

test('has no two equal shortcuts', () => {
  const marks = shortcuts.map((one) => JSON.stringify([one.key, one.hasShift ?? false]));
  expect(new Set(marks).size).toBe(marks.length);
});

test('falls back to the system theme for an unknown value', () => {
  const kept = (value: string | null) => ({ getItem: () => value });
  expect(readTheme(kept('dark'))).toBe('dark');
  expect(readTheme(kept('neon'))).toBe('system');
  expect(readTheme(kept(null))).toBe('system');
});

test('explains each connection indicator in a sentence', () => {
  for (const name of ['CONNECTING', 'WAIT API', 'DEGRADED', 'OFFLINE', 'STANDBY', 'BUSY'] as const) expect(explain(name)).toMatch(/\.$/);
  expect(explain('OFFLINE')).toMatch(/sent when it is back/);
});

test('describes what a running turn waits for and for how long', () => {
  const running = { turnId: 't', startedAt: '2026-03-15T12:00:00Z', waitingFor: 'model', since: '2026-03-15T12:00:00Z' } as const;
  expect(describeWait(running, new Date('2026-03-15T12:00:12Z'))).toEqual({ what: 'waits for: model', since: '12 s' });
  expect(describeWait({ ...running, waitingFor: 'approval' }, new Date('2026-03-15T12:01:05Z'))).toEqual({
    what: 'waits for: your approval',
    since: '1 min 5 s',
  });
});

test('caches the shell only over HTTPS or on loopback', () => {
  expect(canKeepShell({ protocol: 'https:', hostname: 'box.example' })).toBe(true);
  expect(canKeepShell({ protocol: 'http:', hostname: '127.0.0.1' })).toBe(true);
  expect(canKeepShell({ protocol: 'http:', hostname: 'box.example' })).toBe(false);
});
