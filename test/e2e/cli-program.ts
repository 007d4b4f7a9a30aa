// The built program as a child process, in a home folder of its own, without any key.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const main = join(import.meta.dirname, '../../dist/main.mjs');

export interface Program {
  readonly home: string;
  readonly workspace: string;
  /** Runs a command line to its end. */
  run(argv: readonly string[], options?: { readonly input?: string; readonly environment?: Record<string, string> }): Promise<Ended>;
  start(argv: readonly string[], options?: { readonly environment?: Record<string, string> }): Running;
  /** Ends what still runs and deletes the folders. */
  clean(): Promise<void>;
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
  /** The first match on standard output; rejects when the program ends without one. */
  until(pattern: RegExp): Promise<RegExpExecArray>;
}

export async function createProgram(): Promise<Program> {
  const home = await mkdtemp(join(tmpdir(), 'cli-e2e-home-'));
  const workspace = await mkdtemp(join(tmpdir(), 'cli-e2e-work-'));
  const running = new Set<Running>();

  function start(argv: readonly string[], { environment = {} }: { readonly environment?: Record<string, string> } = {}): Running {
    const env = { PATH: process.env['PATH'], HOME: home, APP_HOME: join(home, '.app'), AGENT_WORKSPACE_ROOT: workspace, PORT: '0', ...environment };
    const child = spawn(process.execPath, [main, ...argv], { cwd: workspace, env, stdio: 'pipe' });
    let stdout = '';
    let stderr = '';
    let look: () => void = () => undefined;
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      look();
    });
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.on('error', () => undefined); // it may end before it has read everything
    const program: Running = {
      child,
      ended: new Promise((resolve) =>
        child.once('close', (code) => {
          running.delete(program);
          resolve({ code, stdout, stderr });
        }),
      ),
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
    run(argv, { input = '', environment = {} } = {}) {
      const program = start(argv, { environment });
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
