// The marker file of a start names the plugin whose code runs, and none that merely waits or was left by an orderly end.
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noteStarts, openStartMarker } from '../../../../builtins/distribution/plugin-host/start-marker.ts';

let home: string;
beforeEach(async () => void (home = await mkdtemp(join(tmpdir(), 'start-marker-'))));
afterEach(() => rm(home, { recursive: true, force: true }));

const path = (): string => join(home, 'starting.json');
const named = (): unknown => (JSON.parse(readFileSync(path(), 'utf8')) as { plugin?: string }).plugin;

test('it names a plugin while its register runs, and no longer while it waits', async () => {
  const marker = openStartMarker(home);
  const intercept = noteStarts(marker, (plugin) => marker.at(plugin, 'content'));
  let finish = (): void => undefined;
  await marker.during(async () => {
    const seen: unknown[] = [];
    const waiting = intercept({ plugin: 'slow', what: 'register' }, () => {
      seen.push(named());
      return new Promise<void>((resolve) => (finish = resolve));
    });
    seen.push(named());
    expect(() =>
      intercept({ plugin: 'throws', what: 'register' }, () => {
        seen.push(named());
        throw new Error('boom');
      }),
    ).toThrow('boom');
    seen.push(named());
    intercept({ plugin: 'other', what: 'hook' }, () => seen.push(named()));
    finish();
    await waiting;
    expect(seen).toEqual(['slow', undefined, 'throws', undefined, undefined]);
  });
  expect(existsSync(path())).toBe(false);
});

test('it names a plugin until its file is read', async () => {
  const marker = openStartMarker(home);
  const intercept = noteStarts(marker, () => undefined);
  await marker.during(async () => {
    await intercept({ plugin: 'one', what: 'load' }, async () => {
      marker.at('one', undefined);
      await Promise.resolve();
      expect(named()).toBe('one');
    });
    await Promise.resolve();
    expect(named()).toBeUndefined();
  });
});

test('an orderly end during a load leaves no file, whatever the load still does, and the next load is noted again', async () => {
  const marker = openStartMarker(home);
  let finish = (): void => undefined;
  const loading = marker.during(async () => {
    marker.at('hangs', 'content');
    await new Promise<void>((resolve) => (finish = resolve));
    marker.at('later', undefined);
  });
  expect(named()).toBe('hangs');
  marker.end();
  finish();
  await loading;
  expect(existsSync(path())).toBe(false);
  expect(openStartMarker(home).died).toBeUndefined();
  await marker.during(() => {
    marker.at('again', undefined);
    expect(named()).toBe('again');
    return Promise.resolve();
  });
});
