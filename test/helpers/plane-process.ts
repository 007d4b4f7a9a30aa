// Starts the built control plane as a child process, as an operator does.
import { join } from 'node:path';
import { startProgram, type EndedProgram, type RunningProgram } from './program.ts';

export interface PlaneProcess {
  readonly url: string;
  readonly pid: number;
  readonly output: () => string;
  call(method: string, path: string, options?: { readonly body?: unknown; readonly token?: string }): Promise<{ status: number; body: any }>;
  isRunning(): boolean;
  /** Sends the signal. Returns the exit code, or the name of the signal that ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

export interface PlaneProcessOptions {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Script to run instead of the built program. */
  readonly program?: string;
}

function begin({ home, environment = {}, program }: PlaneProcessOptions, argv: readonly string[]): RunningProgram {
  const isStock = program === undefined || program.endsWith('dist/main.mjs');
  return startProgram(isStock ? ['control-plane', ...argv] : argv, {
    folder: home,
    environment: { HOME: home, HUB_HOME: join(home, 'hub'), HUB_PORT: '0', ...environment },
    ...(program === undefined ? {} : { main: program }),
  });
}

export const runPlaneCommand = (options: PlaneProcessOptions, ...argv: readonly string[]): Promise<EndedProgram> => begin(options, argv).ended;

/** Starts the control plane. Resolves when the address is printed. The caller stops the process. */
export async function startPlaneProcess(options: PlaneProcessOptions): Promise<PlaneProcess> {
  const { child, output, says, stop } = begin(options, []);
  const [, url = ''] = await says(/is ready at (http:\/\/[\w.[\]:]+:\d+)/);
  return {
    url,
    pid: child.pid ?? 0,
    output,
    async call(method, path, { body, token } = {}) {
      const reply = await fetch(url + path, {
        method,
        headers: {
          ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return { status: reply.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
    },
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stop,
  };
}
