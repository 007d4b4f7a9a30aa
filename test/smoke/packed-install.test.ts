// Tests the package as users get it: packed, installed offline into an empty folder, started by its command, and used for one turn.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { runTurn } from '../helpers/event-stream.ts';
import { startServerProcess } from '../helpers/server-process.ts';
import { root } from '../helpers/sources.ts';

const run = promisify(execFile);

test('serves a turn of the demo model from the installed package', async ({ skip }) => {
  const place = await mkdtemp(join(tmpdir(), 'packed-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const [home, folder] = [join(place, 'home'), join(place, 'app')];
  await Promise.all([mkdir(home), mkdir(folder)]);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', place], { cwd: root, maxBuffer: 16e6 });
  const tarball = join(place, JSON.parse(packed.stdout)[0].filename);
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional', '--omit=peer'];
  const fault = await run('npm', ['install', ...options, tarball], { cwd: folder }).then(
    () => '',
    ({ stderr }: { stderr: string }) => stderr,
  );
  skip(/ENOTCACHED/.test(fault), 'The dependencies are not in the cache of npm; `npm ci` puts them there.');
  expect(fault).toBe('');
  const server = await startServerProcess({ home, workspace: folder, program: join(folder, 'node_modules/.bin/app') });
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  const { end, stream } = await runTurn(server as never, 'hello');
  expect(end).toMatchObject({ reason: 'done' });
  expect(stream.text()).toMatch(/demo/i);
  expect(await server.stop()).toBe(0);
});
