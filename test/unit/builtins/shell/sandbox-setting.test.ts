import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import * as shell from '../../../../builtins/tools/shell/index.ts';
import { openToolBench, type ToolBench } from '../files/tool-bench.ts';
import { whyNot } from './sandbox-tests.ts';

let bench: ToolBench;
const path = process.env['PATH'];
afterEach(() => void (process.env['PATH'] = path));

async function open(sandbox: string): Promise<void> {
  bench = await openToolBench({ modules: { shell }, environment: { AGENT_SANDBOX: sandbox } });
}
const where = 'tr "\\0" " " < /proc/1/cmdline | head -c 200';

test('rejects commands with require when bubblewrap is not installed', async () => {
  await open('require');
  process.env['PATH'] = '/nowhere';
  for (const background of [false, true]) {
    expect(await bench.error('run_command', { command: 'echo ran > ran.txt', background })).toBe(
      'Commands must run in a sandbox (AGENT_SANDBOX is require), but none works: bubblewrap (bwrap) is not installed.\n' +
        'Tell the user: install bubblewrap, or set AGENT_SANDBOX to auto.',
    );
  }
  await expect(readFile(join(bench.workspace, 'ran.txt'))).rejects.toThrow('ENOENT');
});

test('rejects commands with require when bubblewrap fails, with its error message', async () => {
  await open('require');
  const folder = join(bench.home, 'bin');
  await mkdir(folder);
  await writeFile(join(folder, 'bwrap'), '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n');
  await chmod(join(folder, 'bwrap'), 0o755);
  process.env['PATH'] = `${folder}:${path}`;
  expect(await bench.error('run_command', { command: 'true' })).toContain(
    'bubblewrap does not work on this machine: bwrap: No permissions to create new namespace',
  );
});

test('does not use a bubblewrap executable from the workspace', async () => {
  await open('require');
  await writeFile(join(bench.workspace, 'bwrap'), `#!/bin/sh\necho ran > ${join(bench.home, 'used')}\n`);
  await chmod(join(bench.workspace, 'bwrap'), 0o755);
  process.env['PATH'] = bench.workspace;
  expect(await bench.error('run_command', { command: 'true' })).toContain('is inside the workspace');
  await expect(readFile(join(bench.home, 'used'))).rejects.toThrow('ENOENT');
});

test('runs unsandboxed with auto when bubblewrap is missing and logs one warning', async () => {
  await open('auto');
  process.env['PATH'] = '/nowhere';
  expect(await bench.output('run_command', { command: 'echo ran' })).toBe('ran');
  expect(await bench.output('run_command', { command: 'echo again' })).toBe('again');
  expect(bench.logs).toEqual(['warn shell: commands run without a sandbox: bubblewrap (bwrap) is not installed.']);
});

test('runs commands without a sandbox when off', async () => {
  await open('off');
  const outside = join(bench.home, 'outside.txt');
  await bench.output('run_command', { command: `echo ran > ${outside}` });
  expect(await readFile(outside, 'utf8')).toBe('ran\n');
});

test.skipIf(whyNot !== undefined)(`applies a changed setting to the next command${whyNot === undefined ? '' : ` (left out: ${whyNot})`}`, async () => {
  bench = await openToolBench({ modules: { shell } });
  expect(await bench.output('run_command', { command: where })).toContain('bwrap');
  await bench.kernel.control.setPreferences({ AGENT_SANDBOX: 'off' });
  expect(await bench.output('run_command', { command: where })).not.toContain('--unshare-pid');
});

test('always requires approval for network access', async () => {
  await open('auto');
  const reasons = async (args: object): Promise<string[]> => bench.rules('run_command', args);
  expect(await reasons({ command: 'ls' })).toEqual(['allow']);
  expect(await reasons({ command: 'ls', network: false })).toEqual(['allow']);
  expect(await reasons({ command: 'ls', network: true })).toEqual(['ask']);
  expect(await reasons({ command: 'curl x', network: true, background: true })).toEqual(['ask']);
  const preview = bench
    .descriptor('run_command')
    .preview?.({ command: 'ls', network: true } as never, { chatId: 'chat_1', callId: 'call_1', workspaceRoot: bench.workspace });
  expect(await preview).toEqual({ kind: 'command', command: 'ls', cwd: bench.workspace, network: true });
});

test('rejects every command when the setting is invalid', async () => {
  await open('on');
  for (const background of [false, true])
    expect(await bench.error('run_command', { command: 'echo ran > ran.txt', background })).toContain(
      'AGENT_SANDBOX cannot be used: its value must be one of auto, off, require.',
    );
  await expect(readFile(join(bench.workspace, 'ran.txt'))).rejects.toThrow('ENOENT');
});
