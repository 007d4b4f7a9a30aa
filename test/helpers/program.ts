// Runs a program of the package as a child process, to its end or until some output.
import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { root } from './sources.ts';

export interface ProgramOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly folder?: string;
  readonly input?: string;
  /** Script to run instead of the built program. */
  readonly main?: string;
}

export interface EndedProgram {
  readonly code: number | NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
  /** Both output streams. */
  readonly said: string;
}

export interface RunningProgram {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly ended: Promise<EndedProgram>;
  /** Resolves with the first match in both streams after the earlier output `from`. Rejects if the program ends without one. */
  says(pattern: RegExp, from?: string): Promise<RegExpExecArray>;
  /** Sends the signal. Returns the exit code or the name of the signal. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>;
}

/** Starts a program. The caller stops it. */
export function startProgram(argv: readonly string[], { environment, folder, input, main = join(root, 'dist/main.mjs') }: ProgramOptions): RunningProgram {
  const child = spawn(process.execPath, [main, ...argv], {
    ...(folder === undefined ? {} : { cwd: folder }),
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input ?? '');
  let [output, out, err] = ['', '', ''];
  const listeners = new Set<() => void>();
  const hear = (text: string): void => {
    output += text;
    for (const listener of [...listeners]) listener();
  };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (hear(text), (out += text)));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (hear(text), (err += text)));
  const ended = new Promise<EndedProgram>((resolve) => child.once('close', (code, signal) => resolve({ code: code ?? signal, out, err, said: output })));
  return {
    child,
    output: () => output,
    ended,
    says: (pattern, from = '') =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = pattern.exec(output.slice(from.length));
          if (!match) return;
          listeners.delete(look);
          resolve(match);
        };
        listeners.add(look);
        look();
        void ended.then(({ code }) => reject(new Error(`it ended with ${code} before it said ${pattern}: ${output}`)));
      }),
    async stop(signal = 'SIGTERM') {
      if (child.exitCode === null && child.signalCode === null) child.kill(signal);
      return (await ended).code;
    },
  };
}

export const runProgram = (argv: readonly string[], options: ProgramOptions): Promise<EndedProgram> => startProgram(argv, options).ended;
