// Addresses, keys, the theme and the connection: what the frame decides without a page.
import { describe, expect, test } from 'vitest';
import { hashOf, readRoute } from '../../../../builtins/clients/web-ui/app/kit/hooks.ts';
import { describeWait, explain } from '../../../../builtins/clients/web-ui/app/frame/describe-connection.ts';
import { canKeepShell } from '../../../../builtins/clients/web-ui/app/frame/register-worker.ts';
import { isText, shortcutOf, shortcuts } from '../../../../builtins/clients/web-ui/app/frame/shortcuts.ts';
import { readTheme } from '../../../../builtins/clients/web-ui/app/kit/theme.ts';

describe('an address', () => {
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
  ])('%s is read', (hash, route) => {
    expect(readRoute(hash)).toEqual(route);
  });

  test('leads back to what it was made of', () => {
    for (const route of [{ page: 'usage' }, { page: 'panel', id: 'ä/ö %' }, { page: 'chat', id: 'c', part: 'a/b' }])
      expect(readRoute(hashOf(route))).toEqual(route);
  });
});

describe('a key', () => {
  const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey', boolean>> = {}) => ({
    key,
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    repeat: false,
    ...held,
  });

  test('with Ctrl opens the palette also while somebody types; on a Mac it is Command', () => {
    expect(shortcutOf(press('k', { ctrlKey: true }), false)).toBe('palette');
    expect(shortcutOf(press('k', { metaKey: true }), false)).toBeUndefined();
    expect(shortcutOf(press('k', { metaKey: true }), true)).toBe('palette');
    expect(shortcutOf(press('k', { ctrlKey: true }), true)).toBeUndefined();
  });

  test('without Ctrl is text', () => {
    for (const key of ['s', 'p', 'm', '?', 'é']) expect([shortcutOf(press(key), false), isText(press(key))]).toEqual([undefined, true]);
    for (const one of [press(' '), press('Escape'), press('a', { ctrlKey: true }), press('a', { altKey: true })]) expect(isText(one)).toBe(false);
  });

  test('wants Shift exactly where it is part of the shortcut', () => {
    expect(shortcutOf(press('O', { ctrlKey: true, shiftKey: true }), false)).toBe('new-chat');
    expect(shortcutOf(press('o', { ctrlKey: true }), false)).toBeUndefined();
  });

  test('with Alt is left to the decisions', () => {
    expect(shortcutOf(press('k', { ctrlKey: true, altKey: true }), false)).toBeUndefined();
  });

  test('stands for one thing only', () => {
    const marks = shortcuts.map((one) => JSON.stringify([one.key, one.hasShift ?? false]));
    expect(new Set(marks).size).toBe(marks.length);
  });
});

test('a theme that is not known is that of the system', () => {
  const kept = (value: string | null) => ({ getItem: () => value });
  expect(readTheme(kept('dark'))).toBe('dark');
  expect(readTheme(kept('neon'))).toBe('system');
  expect(readTheme(kept(null))).toBe('system');
});

test('each indicator says what is the matter and what happens next', () => {
  for (const name of ['CONNECTING', 'WAIT API', 'DEGRADED', 'OFFLINE', 'STANDBY', 'BUSY'] as const) expect(explain(name)).toMatch(/\.$/);
  expect(explain('OFFLINE')).toMatch(/sent when it is back/);
});

test('a running turn says what it waits for and how long', () => {
  const running = { turnId: 't', startedAt: '2026-03-15T12:00:00Z', waitingFor: 'model', since: '2026-03-15T12:00:00Z' } as const;
  expect(describeWait(running, new Date('2026-03-15T12:00:12Z'))).toEqual({ what: 'waits for: model', since: '12 s' });
  expect(describeWait({ ...running, waitingFor: 'approval' }, new Date('2026-03-15T12:01:05Z'))).toEqual({
    what: 'waits for: your approval',
    since: '1 min 5 s',
  });
});

test('the shell is kept only where a service worker may be: with encryption or on this machine', () => {
  expect(canKeepShell({ protocol: 'https:', hostname: 'box.example' })).toBe(true);
  expect(canKeepShell({ protocol: 'http:', hostname: '127.0.0.1' })).toBe(true);
  expect(canKeepShell({ protocol: 'http:', hostname: 'box.example' })).toBe(false);
});
