// Tests that ending a program also ends its child processes, even if they cannot be listed.
import { expect, test, vi } from 'vitest';
import { runProgram, type ProgramParts } from '../../../builtins/voice/audio-local/run-program.ts';
import { isAlive } from '../../helpers/build-lock.ts';

test.skipIf(process.platform === 'win32')('ends the process group if processes cannot be listed', async () => {
  const processes = { createMark: () => ({ environment: {} }), end: () => Promise.resolve(false) };
  const parts = { processes: () => processes, makeError: () => new Error('it failed') } as unknown as ProgramParts;
  const script = `const other = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
    console.log(process.pid + ' ' + other.pid); setInterval(() => {}, 1000)`;
  const stop = new AbortController();
  let pids: number[] = [];
  const work = async (): Promise<void> => {
    for await (const piece of runProgram({ path: process.execPath, args: ['-e', script], input: '' }, parts, stop.signal)) {
      pids = String(piece).trim().split(' ').map(Number);
      stop.abort(new Error('nobody waits'));
    }
  };
  await expect(work()).rejects.toThrow('nobody waits');
  expect(pids.length).toBe(2);
  await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), { timeout: 20_000 });
});
