// Opens external addresses in the user's own browser, and shows desktop notifications.
import { spawn } from 'node:child_process';
import { messageOf } from '#lib/errors';

type Environment = Readonly<Record<string, string>>;

/** @param environment variables that locate the screen */
export function openExternal(url: string, environment: Environment, warn: (message: string) => void): void {
  const failed = (fault: unknown): void => warn(`a link could not be opened in the browser of this machine: ${messageOf(fault)}`);
  if (process.platform === 'linux') run('xdg-open', [url], environment, failed);
  else void import('open').then(({ default: open }) => open(url)).then((program) => program.on('error', failed), failed);
}

/** Shows a notification if the desktop supports notifications; the terminal shows the text as well. */
export function notify(title: string, text: string, environment: Environment): void {
  const ignore = (): void => undefined;
  if (process.platform === 'linux') run('notify-send', ['--', title, text], environment, ignore);
  else if (process.platform === 'darwin')
    run('osascript', ['-e', `display notification ${appleText(text)} with title ${appleText(title)}`], environment, ignore);
}

function run(program: string, args: readonly string[], environment: Environment, failed: (fault: unknown) => void): void {
  // The program outlives the server, because it belongs to the user.
  const child = spawn(program, args, { detached: true, stdio: 'ignore', env: { ...environment } });
  child.once('error', failed);
  child.unref();
}

const appleText = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
