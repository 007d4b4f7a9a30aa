// Starts the built program as a child process, as a user does.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { root } from './sources.ts';

export interface ServerProcess {
  readonly url: string;
  readonly token: string;
  readonly home: string;
  readonly pid: number;
  readonly output: () => string;
  call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>;
  /** Sends the signal. Returns the exit code, or the name of the signal that ended the process. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

export interface ServerOptions {
  readonly home: string;
  readonly workspace: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Program to start instead of the stock one, relative to the project root. */
  readonly program?: string;
  /** Command that starts the server; `serve` by default. */
  readonly command?: 'serve' | 'dev';
  readonly options?: readonly string[];
  /** Wrapper command that starts the program given as its arguments. */
  readonly inside?: readonly string[];
  /** Waits until third-party plugins are loaded as well; true by default. */
  readonly waitsForPlugins?: boolean;
}

/** No test request takes this long. A request that does is reported with its name and the server's output. */
const longestCallMs = 45_000;

/** Ends the server with this process in every case: a killed test worker runs no handler. */
const setpriv = '/usr/bin/setpriv';
const withParent = process.platform === 'linux' && existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL'] : [];

/** Starts a server. Resolves when the address is printed and the plugins are loaded. The caller stops it. */
export async function startServerProcess(options: ServerOptions): Promise<ServerProcess> {
  const { home, workspace, environment = {}, program = 'dist/main.mjs', inside = [] } = options;
  const [command = '', ...argv] = [
    ...(inside.length > 0 ? inside : withParent),
    process.execPath,
    resolve(root, program),
    options.command ?? 'serve',
    ...(options.options ?? []),
  ];
  const child: ChildProcess = spawn(command, argv, {
    cwd: workspace,
    env: { PATH: process.env['PATH'], HOME: home, APP_HOME: home, PORT: '0', AGENT_CHAT_TITLES: '0', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (text: string): void => {
      output += text;
      const address = /http:\/\/[\w.[\]:]+:\d+/.exec(output);
      if (address) resolve(address[0]);
    };
    child.stdout?.setEncoding('utf8').on('data', read);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
    child.once('error', reject);
  });
  const token = environment['AGENT_WEB_TOKEN'] ?? (await readFile(join(home, 'web_token'), 'utf8')).trim();
  const server: ServerProcess = {
    url,
    token,
    home,
    pid: child.pid ?? 0,
    output: () => output,
    async call(method, path, body) {
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort(new Error(`${method} ${path} had no answer for ${longestCallMs} ms:\n${output}`)), longestCallMs);
      try {
        const reply = await fetch(url + path, {
          method,
          signal: abort.signal,
          headers: { authorization: `Bearer ${token}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await reply.text();
        return { status: reply.status, body: /^[[{]/.test(text) ? JSON.parse(text) : text };
      } finally {
        clearTimeout(timer);
      }
    },
    async stop(signal = 'SIGTERM') {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode ?? child.signalCode;
      const gone = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      child.kill(signal);
      const [code, killedBy] = await gone;
      return code ?? killedBy;
    },
  };
  if (options.waitsForPlugins !== false) await untilPluginsLoaded(server);
  return server;
}

/** A distribution without that route has no third-party plugins. A server may end while it loads them. */
async function untilPluginsLoaded({ call }: ServerProcess): Promise<void> {
  for (;;) {
    const reply = await call('GET', '/api/plugins').catch(() => undefined);
    if (!reply || (reply.status !== 503 && reply.body.isLoading !== true)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
