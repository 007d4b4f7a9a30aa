// What does not belong into the window: addresses for the person's own browser, and notices for their desktop.
import { spawn } from 'node:child_process';
import { messageOf } from 'agent-harness/lib/errors';

type Environment = Readonly<Record<string, string>>;

/** @param environment says where the screen is */
export function openExternal(url: string, environment: Environment, warn: (message: string) => void): void {
  const failed = (fault: unknown): void => warn(`a link could not be opened in the browser of this machine: ${messageOf(fault)}`);
  if (process.platform === 'linux') run('xdg-open', [url], environment, failed);
  else void import('open').then(({ default: open }) => open(url)).then((program) => program.on('error', failed), failed);
}

/** Shown where the desktop can, and nowhere else: who reads a terminal is told there. */
export function notify(title: string, text: string, environment: Environment): void {
  const ignore = (): void => undefined;
  if (process.platform === 'linux') run('notify-send', ['--', title, text], environment, ignore);
  else if (process.platform === 'darwin')
    run('osascript', ['-e', `display notification ${appleText(text)} with title ${appleText(title)}`], environment, ignore);
}

function run(program: string, args: readonly string[], environment: Environment, failed: (fault: unknown) => void): void {
  // It outlives the server: what it opens is the person's.
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env: { ...environment } });
  child.once('error', failed);
  child.unref();
}

const appleText = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
