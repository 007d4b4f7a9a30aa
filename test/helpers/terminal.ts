// Runs the built program in a real PTY with a terminal emulator that returns the screen and the scrollback.
import { spawn, type IPty } from '@lydell/node-pty';
import xterm from '@xterm/headless';
import { join } from 'node:path';
import { root } from './sources.ts';

export interface TerminalOptions {
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly columns?: number;
  readonly rows?: number;
  /** Runs in the same terminal before the program, like earlier shell output. */
  readonly before?: string;
  /** Runs the program from a shell with job control, which keeps running after the program ends. The prompt is `$ `. */
  readonly isUnderShell?: boolean;
}

export interface TestTerminal {
  readonly pid: number;
  readonly raw: () => string;
  readonly chunks: readonly string[];
  type(text: string): void;
  screen(): string[];
  /** Returns the rows from the top of the scrollback to the last non-empty row. Wrapped rows are joined. */
  scrolled(): string[];
  /** Returns the column and row of the cursor on the screen, from 0. */
  cursor(): { readonly x: number; readonly y: number };
  shows(pattern: RegExp, ms?: number): Promise<void>;
  holds(pattern: RegExp, ms?: number): Promise<void>;
  until(what: string, isSo: () => boolean, ms?: number): Promise<void>;
  resize(columns: number, rows: number): void;
  pause(): void;
  resume(): void;
  kill(signal?: string): void;
  readonly ended: Promise<number>;
}

/** Starts the program in a terminal. The caller ends it. */
export function startInTerminal(argv: readonly string[], options: TerminalOptions): TestTerminal {
  const { columns = 100, rows = 30, before = '' } = options;
  const emulator = new xterm.Terminal({ cols: columns, rows, scrollback: 100_000, allowProposedApi: true });
  const program = [process.execPath, join(root, 'dist/main.mjs'), ...argv].map((word) => `'${word}'`).join(' ');
  const [shell, words] = options.isUnderShell === true ? ['bash', ['--norc', '--noprofile', '-i']] : ['/bin/sh', ['-c', `${before}\nexec ${program}`]];
  const child: IPty = spawn(shell, words, {
    cols: columns,
    rows,
    cwd: options.folder,
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm-256color', PS1: '$ ', ...options.environment },
  });
  if (options.isUnderShell === true) child.write(`${program}\r`);
  const chunks: string[] = [];
  const listeners = new Set<() => void>();
  let hasEnded = false;
  const look = (): void => {
    for (const listener of [...listeners]) listener();
  };
  child.onData((text) => {
    chunks.push(text);
    emulator.write(text, look);
  });
  emulator.onData((text) => child.write(text));
  const ended = new Promise<number>((resolve) =>
    child.onExit(({ exitCode }) => {
      hasEnded = true;
      emulator.write('', () => {
        look();
        resolve(exitCode);
      });
    }),
  );
  const buffer = () => emulator.buffer.active;
  const rowAt = (at: number): string => buffer().getLine(at)?.translateToString(true) ?? '';

  function scrolled(): string[] {
    const lines: string[] = [];
    for (let at = 0; at < buffer().length; at++) {
      const line = buffer().getLine(at);
      if (line?.isWrapped && lines.length > 0) lines[lines.length - 1] += line.translateToString(true);
      else lines.push(line?.translateToString(true) ?? '');
    }
    while (lines.at(-1) === '') lines.pop();
    return lines;
  }

  const screen = (): string[] => Array.from({ length: emulator.rows }, (_, at) => rowAt(buffer().baseY + at));

  function until(what: string, isSo: () => boolean, ms = 20_000): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (fault?: Error): void => {
        clearTimeout(timer);
        listeners.delete(check);
        if (fault) reject(fault);
        else resolve();
      };
      const timer = setTimeout(() => finish(new Error(`${what} was not so within ${ms} ms:\n${screen().join('\n')}`)), ms);
      const check = (): void => {
        if (isSo()) finish();
        else if (hasEnded) finish(new Error(`it ended before ${what}:\n${scrolled().join('\n')}`));
      };
      listeners.add(check);
      check();
    });
  }

  return {
    pid: child.pid,
    raw: () => chunks.join(''),
    chunks,
    type: (text) => child.write(text),
    screen,
    scrolled,
    cursor: () => ({ x: buffer().cursorX, y: buffer().cursorY }),
    until,
    shows: (pattern, ms) => until(`the screen shows ${pattern}`, () => pattern.test(screen().join('\n')), ms),
    holds: (pattern, ms) => until(`scrollback holds ${pattern}`, () => pattern.test(scrolled().join('\n')), ms),
    resize(wide, high) {
      emulator.resize(wide, high);
      child.resize(wide, high);
    },
    pause: () => child.pause(),
    resume: () => child.resume(),
    kill: (signal) => child.kill(signal),
    ended,
  };
}
