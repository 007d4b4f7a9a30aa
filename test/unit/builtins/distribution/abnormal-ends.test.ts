// Which ends of the program count towards a safe start.
import { existsSync, mkdtempSync, rmSync, writeFileSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAbnormalEnds } from '../../../../builtins/distribution/plugin-host/abnormal-ends.ts';

let home: string;
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), 'abnormal-ends-'))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const bootFile = '/proc/sys/kernel/random/boot_id';
const boot = existsSync(bootFile) ? readFileSync(bootFile, 'utf8').trim() : '';
/** The marker file of a process that is gone. */
const leave = (marker: object): void => writeFileSync(join(home, 'running.json'), JSON.stringify({ pid: 2 ** 30, start: '1', boot, ...marker }));

test.skipIf(process.platform !== 'linux').each([
  ['no marker', undefined, false, false],
  ['the first end', { ends: 0 }, false, false],
  ['the second end in a row', { ends: 1 }, false, true],
  ['an end whose plugin is named', { ends: 1 }, true, false],
  ['a restart of the machine', { ends: 5, boot: 'another' }, false, false],
  ['a marker that is damaged', { ends: 'many' }, false, false],
] as const)('%s', (_, marker, isNamed, isSafe) => {
  if (marker) leave(marker);
  const ends = openAbnormalEnds(home, isNamed, true);
  expect([ends.isSafe, ends.notice !== undefined]).toEqual([isSafe, isSafe]);
  expect(existsSync(join(home, 'running.json'))).toBe(false);
});

test.skipIf(process.platform !== 'linux')('the marker of a program that runs is left alone', () => {
  const start = readFileSync(`/proc/${process.ppid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
  leave({ pid: process.ppid, start, ends: 9 });
  expect(openAbnormalEnds(home, false, true).isSafe).toBe(false);
  expect(existsSync(join(home, 'running.json'))).toBe(true);
});
