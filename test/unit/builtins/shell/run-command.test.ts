import { mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import * as shell from '../../../../builtins/tools/shell/index.ts';
import { openToolBench } from '../files/tool-bench.ts';
import { useEach } from '../../../helpers/use-opened.ts';
import { alive, whyNot as whyNoSandbox } from './sandbox-tests.ts';

const run = (command: string, more: object = {}): Promise<string> => bench.output('run_command', { command, ...more });
const fail = (command: string, more: object = {}): Promise<string> => bench.error('run_command', { command, ...more });

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await delay(10);
}

const bench = useEach(() => openToolBench({ modules: { shell } }));

test('returns both output streams and treats exit code 0 as success', async () => {
  expect(await run('echo out; echo err >&2')).toBe('out\nerr');
  expect(await run('true')).toBe('(no output)');
  expect(await run('pwd')).toBe(bench.workspace);
});

test('returns the exit code and output of a failing command', async () => {
  expect(await fail('echo why; exit 3')).toContain('The command exited with code 3.\nwhy');
  expect(await fail('kill -9 $$')).toContain('was ended by SIGKILL');
});

test('runs only in folders of the workspace', async () => {
  await mkdir(join(bench.workspace, 'sub'));
  await symlink('/', join(bench.workspace, 'root'));
  expect(await run('pwd', { cwd: 'sub' })).toBe(join(bench.workspace, 'sub'));
  for (const cwd of ['..', '/tmp', 'root']) expect(await fail('pwd', { cwd }), cwd).toContain('outside the workspace');
  expect(await fail('pwd', { cwd: 'missing' })).toContain('There is no folder missing');
});

test('provides an empty standard input', async () => {
  expect(await run('cat; read line; echo over')).toBe('over');
});

test('hides secrets in environment variables from commands', async () => {
  for (const name of ['OPENAI_API_KEY', 'GITHUB_TOKEN', 'AGENT_MODEL', 'APP_HOME', 'DB_PASSWORD', 'LC_TOKEN', 'ODD_ONE']) vi.stubEnv(name, 's3cret');
  vi.stubEnv('HTTPS_PROXY', 'http://user:s3cret@proxy');
  onTestFinished(() => void vi.unstubAllEnvs());
  const printed = await run('env');
  expect(printed).not.toContain('s3cret');
  expect(printed).toContain('PATH=/');
});

test('streams output as throttled progress', async () => {
  await run('for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do echo tick $i; sleep 0.02; done');
  expect(bench.progress.join('')).toContain('tick 1\n');
  expect(bench.progress.join('')).toContain('tick 20');
  expect(bench.progress.length).toBeLessThan(9);
});

test.each([
  ['a carriage return', "printf '10%%\\r50%%\\r100%%\\ndone\\n'", '100%\ndone'],
  ['a shorter line over a longer one', "printf 'longer\\rab'", 'abnger'],
  ['erasing before writing', "printf 'longer\\r\\033[Kab'; printf '\\nlonger\\033[2K\\rcd'", 'ab\ncd'],
  ['backspaces', "printf 'safe\\b\\b\\b\\bevil; spin|\\b/\\b-'", 'evil; spin-'],
  ['colours', "printf '\\033[31mred\\033[0m\\rb'", 'bed'],
  ['CRLF line endings', "printf 'one\\r\\ntwo\\r\\n'", 'one\ntwo'],
  ['a window title', "printf '\\033]0;title\\007text'", 'text'],
])('renders output as a terminal does: %s', async (_, command, shown) => {
  expect(await run(command)).toBe(shown);
  expect(bench.progress.join('').trimEnd()).toBe(shown);
});

test('keeps the beginning and the end of oversized output', async () => {
  const flood = await run('echo first; head -c 8000000 /dev/zero | tr "\\0" x; echo; echo last');
  expect(flood.startsWith('first\n')).toBe(true);
  expect(flood.endsWith('\nlast')).toBe(true);
  expect(flood).toContain('bytes discarded');
  expect(flood.length).toBeLessThan(1_200_000);
});

test('kills the whole process group at the timeout, even if it ignores SIGTERM', async () => {
  const marker = '4711.25';
  const error = await fail(`echo begun; (trap '' TERM; sleep ${marker}; sleep ${marker}) & (trap '' TERM; while true; do sleep 0.1; done); sleep ${marker}`, {
    timeoutMs: 300,
  });
  expect(error).toContain('timed out after 0.3 s and was ended.\nbegun');
  expect(alive(marker)).toEqual([]);
});

test('kills the whole process group on abort, even if it ignores SIGTERM', async () => {
  const marker = '4712.25';
  const controller = new AbortController();
  const running = bench.run('run_command', { command: `trap '' TERM; sleep ${marker} & sleep ${marker}; wait` }, { signal: controller.signal });
  await until(() => alive(`sleep ${marker}`).length >= 2);
  controller.abort();
  expect(await running).toMatchObject({ ok: false });
  expect(alive(marker)).toEqual([]);
});

test('kills processes that a finished command left running', async () => {
  const marker = '4713.25';
  expect(await run(`sleep ${marker} & echo done`)).toContain('done\n[Its remaining processes were ended');
  expect(alive(marker)).toEqual([]);
});

test('kills a running command when the plugin is unloaded', async () => {
  const marker = '4714.25';
  const running = bench.run('run_command', { command: `sleep ${marker}` });
  await until(() => alive(marker).length > 0);
  await bench.kernel.close();
  expect(await running).toMatchObject({ ok: false });
  expect(alive(marker)).toEqual([]);
});

test('previews the exact command and its folder', async () => {
  const preview = bench
    .descriptor('run_command')
    .preview?.({ command: 'ls -l', cwd: '.' } as never, { chatId: 'chat_1', callId: 'call_1', workspaceRoot: bench.workspace });
  expect(await preview).toEqual({ kind: 'command', command: 'ls -l', cwd: bench.workspace, ...(whyNoSandbox === undefined ? { network: false } : {}) });
});

test('runs commands on the workspace files', async () => {
  await run('printf made > made.txt');
  expect(await readFile(join(bench.workspace, 'made.txt'), 'utf8')).toBe('made');
});
