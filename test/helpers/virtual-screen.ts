// Starts a virtual screen (Xvfb) for windows.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export interface VirtualScreen {
  readonly display: string;
  close(): Promise<void>;
}

/** Opens a screen on a free display number, chosen by the server. */
export async function openScreen(): Promise<VirtualScreen> {
  const child = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  const displayOutput = child.stdio[3] as Readable;
  const number = await Promise.race([
    once(displayOutput.setEncoding('utf8'), 'data').then(([text]) => (text as string).trim()),
    ended.then(() => Promise.reject(new Error('Xvfb did not start'))),
  ]);
  return {
    display: `:${number}`,
    async close() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
