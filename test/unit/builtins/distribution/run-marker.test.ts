// Tests the marker file, which names the plugin that is loading and counts unexplained ends towards a safe start.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noteLoads, openRunMarker } from '../../../../builtins/distribution/plugin-host/run-marker.ts';
import { loadTestKernel } from '../../../helpers/test-kernel.ts';
import { useFolder } from '../../../helpers/use-opened.ts';

const home = useFolder('run-marker-');

const path = (): string => join(home, 'plugin-run.json');
const held = (): any => JSON.parse(readFileSync(path(), 'utf8'));
const named = (): unknown => held().plugin;

test('names a plugin while its register function runs, but not while it waits', async () => {
  const marker = openRunMarker(home, true);
  const intercept = noteLoads(marker, (plugin) => marker.at(plugin, 'stamp'));
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

test('names a plugin until its file is read', async () => {
  const marker = openRunMarker(home, true);
  const intercept = noteLoads(marker, () => undefined);
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

test('a normal end during a load leaves no marker file', async () => {
  const marker = openRunMarker(home, true);
  let finish = (): void => undefined;
  const loading = marker.during(async () => {
    marker.at('hangs', 'stamp');
    await new Promise<void>((resolve) => (finish = resolve));
    marker.at('later', undefined);
  });
  expect(named()).toBe('hangs');
  marker.end();
  finish();
  await loading;
  expect(existsSync(path())).toBe(false);
  expect(openRunMarker(home, true).died).toBeUndefined();
});

test('after the server start, the marker file exists while a third-party plugin is active', async () => {
  const app = { register: (_: unknown, emitter: any) => void emitter.hook('app.start', 'series') };
  const world = await loadTestKernel({ app });
  onTestFinished(async () => void (await world.close()));
  const marker = openRunMarker(home, true);
  marker.watch(world.kernel, Promise.resolve());
  await (world.kernel.emitter.call as any)('app.start', []);
  await world.kernel.control.idle();
  expect(existsSync(path())).toBe(false);
  const own = { name: 'own', place: 'own', load: () => Promise.resolve({ register: () => undefined }) };
  await world.kernel.plugins.load({ sources: [{ origin: 'user', entries: [own] }] });
  await expect.poll(() => existsSync(path())).toBe(true);
  expect(held()).toMatchObject({ pid: process.pid, ends: 0 });
  // An unexplained exit during a later load leaves the file.
  void marker.during(() => new Promise<void>(() => undefined));
  marker.at('own', undefined);
  marker.endLoad();
  expect([named(), held().ends]).toEqual([undefined, 0]);
  marker.end();
  expect(existsSync(path())).toBe(false);
});

const bootFile = '/proc/sys/kernel/random/boot_id';
const boot = existsSync(bootFile) ? readFileSync(bootFile, 'utf8').trim() : '';
/** Writes the marker file of a dead process. */
const leave = (marker: object): void => writeFileSync(path(), JSON.stringify({ pid: 2 ** 30, start: '1', boot, ...marker }));

test.skipIf(process.platform !== 'linux').each([
  ['no marker', undefined, undefined, false],
  ['the first end', { ends: 0 }, undefined, false],
  ['the second end in a row', { ends: 1 }, undefined, true],
  ['an end whose plugin is named', { ends: 1, plugin: 'one', stamp: 'x' }, { plugin: 'one', stamp: 'x' }, false],
  ['an end during a load, without a name', {}, undefined, false],
  ['a restart of the machine', { ends: 5, boot: 'another' }, undefined, false],
  ['a marker that is damaged', { ends: 'many' }, undefined, false],
] as const)('%s', (_, marker, died, isSafe) => {
  if (marker) leave(marker);
  const opened = openRunMarker(home, true);
  expect([opened.died, opened.unsafe !== undefined]).toEqual([died, isSafe]);
  expect(existsSync(path())).toBe(false);
});

test.skipIf(process.platform !== 'linux')('keeps the marker file of another running process and writes no other one', async () => {
  const start = readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
  leave({ pid: process.ppid, start, ends: 9 });
  const marker = openRunMarker(home, true);
  expect(marker.unsafe).toBeUndefined();
  await marker.during(() => Promise.resolve(marker.at('one', undefined)));
  marker.end();
  expect(held()).toMatchObject({ pid: process.ppid, ends: 9 });
});
