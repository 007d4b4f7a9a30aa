// Runs the built program as a child process, with its own home folder and without an API key.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const main = join(import.meta.dirname, '../../dist/main.mjs');

export interface Program {
  readonly home: string;
  readonly workspace: string;
  /** Runs a command line to completion. */
  run(argv: readonly string[], options?: StartOptions & { readonly input?: string }): Promise<Ended>;
  start(argv: readonly string[], options?: StartOptions): Running;
  /** Starts another program with the same folders. */
  startProgram(command: string, argv: readonly string[], options: StartOptions): Running;
  /** Runs a shell command line. $NODE and $MAIN name the program. */
  shell(line: string): Promise<Ended>;
  clean(): Promise<void>;
}

export interface StartOptions {
  readonly environment?: Record<string, string>;
  /** Current directory; the workspace by default. */
  readonly folder?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  type(line: string): void;
  /** Resolves with the first match on standard output. Rejects if the program ends without one. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

export async function createProgram(): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), 'cli-e2e-home-'));
  const workspace = await mkdtemp(join(tmpdir(), 'cli-e2e-work-'));
  const running = new Set<Running>();

  function start(argv: readonly string[], options: StartOptions = {}): Running {
    return startProgram(process.execPath, [main, ...argv], options);
  }

  function startProgram(command: string, argv: readonly string[], { environment = {}, folder = workspace }: StartOptions): Running {
    const env = { PATH: process.env['PATH'], HOME: home, APP_HOME: join(home, '.app'), AGENT_WORKSPACE_ROOT: workspace, PORT: '0', ...environment };
    const child = spawn(command, argv, { cwd: folder, env, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    let look: () => void = () => undefined;
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      look();
    });
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => undefined); // the program may end before it has read all input
    const program: Running = {
      child,
      ended: new Promise((resolve) => {
        // A missing program emits `error`, and still `close`.
        child.once('error', (fault) => (stderr += fault.message));
        child.once('close', (code) => {
          running.delete(program);
          resolve({ code, stdout, stderr });
        });
      }),
      type: (line) => void child.stdin.write(`${line}\n`),
      until: (pattern) =>
        new Promise((resolve, reject) => {
          look = () => {
            const found = pattern.exec(stdout);
            if (found) resolve(found);
          };
          look();
          void program.ended.then(() => reject(new Error(`ended without ${String(pattern)}: ${stdout}${stderr}`)));
        }),
    };
    running.add(program);
    return program;
  }

  return {
    home: join(home, '.app'),
    workspace,
    start,
    startProgram,
    shell(line) {
      const program = startProgram('sh', ['-c', line], { environment: { NODE: process.execPath, MAIN: main } });
      program.child.stdin?.end();
      return program.ended;
    },
    run(argv, { input = '', ...options } = {}) {
      const program = start(argv, options);
      program.child.stdin?.end(input);
      return program.ended;
    },
    async clean() {
      for (const { child, ended } of [...running]) {
        child.kill('SIGKILL');
        await ended;
      }
      await rm(home, { recursive: true, force: true });
      await rm(workspace, { recursive: true, force: true });
    },
  };
}
