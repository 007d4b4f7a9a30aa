// The built control plane as a child process, the way an operator starts it.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './sources.ts';

export interface PlaneProcess {
  readonly url: string;
  readonly pid: number;
  readonly output: () => string;
  call(method: string, path: string, options?: { readonly body?: unknown; readonly token?: string }): Promise<{ status: number; body: any }>;
  isRunning(): boolean;
  /** Sends the signal and answers the exit code (or the signal's name) once it is gone. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

export interface PlaneProcessOptions {
  readonly home: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** The script to run instead of the built program. */
  readonly program?: string;
}

function begin({ home, environment = {}, program = join(root, 'dist/main.mjs') }: PlaneProcessOptions, argv: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...(program.endsWith('dist/main.mjs') ? ['control-plane'] : []), ...argv], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, HUB_HOME: join(home, 'hub'), HUB_PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function runPlaneCommand(options: PlaneProcessOptions, ...argv: readonly string[]): Promise<{ code: number | null; out: string; err: string }> {
  const child = begin(options, argv);
  let [out, err] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, out, err };
}

/** Resolves when it printed its address. Whoever starts one stops it. */
export async function startPlaneProcess(options: PlaneProcessOptions): Promise<PlaneProcess> {
  const child = begin(options, []);
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const address = /is ready at (http:\/\/[\w.[\]:]+:\d+)/.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('exit', (code) => reject(new Error(`the control plane ended with ${code}: ${output}`)));
    child.once('error', reject);
  });
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  return {
    url,
    pid: child.pid ?? 0,
    output: () => output,
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
    isRunning,
    async stop(signal = 'SIGTERM') {
      if (!isRunning()) return child.exitCode ?? child.signalCode;
      const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      child.kill(signal);
      const [code, killedBy] = await gone;
      return code ?? killedBy;
    },
  };
}
