// Runs a command line of the program in this process: opens the distribution from its sources on a home folder, runs the command and closes it.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { Kernel } from 'agent-harness/kernel';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { Ended } from './cli-program.ts';
import { closeAfterTest } from './close-after-test.ts';
import { startHarness, type Harness } from './harness.ts';

export interface CommandLine {
  readonly home: string;
  readonly workspace: string;
  /** Runs a command line to completion. `input` is standard input. `signal` acts as Ctrl-C. */
  run(argv: readonly string[], options?: CommandOptions): Promise<Ended>;
  serve(environment?: Environment): Promise<Harness>;
  clean(): Promise<void>;
}

export type Environment = Readonly<Record<string, string>>;

export interface CommandOptions {
  readonly environment?: Environment;
  /** Current directory; the workspace by default. */
  readonly folder?: string;
  readonly input?: string;
  readonly signal?: AbortSignal;
}

export interface CommandLineOptions {
  /** Built-ins for commands and server; those of the stock program by default. */
  readonly builtins?: readonly string[];
  /** Folders of a server in another process, which its owner deletes. New folders by default. */
  readonly folders?: { readonly home: string; readonly workspace: string };
  /** Commands without their own environment or folder share one start of the program. */
  readonly sharesStart?: boolean;
}

/** A command line created by a unit test is cleaned up after the test; otherwise, the caller cleans it up. */
export async function createCommandLine({ builtins, folders, sharesStart = false }: CommandLineOptions = {}): Promise<CommandLine> {
  const place = folders ? folders.home : await mkdtemp(join(tmpdir(), 'command-line-'));
  const { home, workspace } = folders ?? { home: join(place, '.app'), workspace: join(place, 'work') };
  await mkdir(workspace, { recursive: true });
  let server: Harness | undefined;
  let shared: Promise<Harness> | undefined;
  const open = (listen: boolean, more: Environment = {}, folder = workspace): Promise<Harness> => {
    const environment = { PATH: process.env['PATH'], HOME: place, AGENT_WORKSPACE_ROOT: workspace, AGENT_IMPORT_HOME: place, ...more };
    return startHarness({ ...(builtins ? { builtins } : {}), home, workspace: folder, listen, environment });
  };
  const program: CommandLine = {
    home,
    workspace,
    async run(argv, { environment, folder, input, signal } = {}) {
      const isShared = sharesStart && environment === undefined && folder === undefined;
      const { kernel, close } = await (isShared ? (shared ??= open(false)) : open(false, environment, folder));
      try {
        return await runCommandLine(kernel, argv, {
          input: (input ?? '').split('\n').slice(0, -1),
          redirectedInput: input === undefined ? undefined : 'pipe',
          signal,
        });
      } finally {
        if (!isShared) await close({ keepFiles: true });
      }
    },
    async serve(environment) {
      server = await open(true, environment);
      return server;
    },
    async clean() {
      for (const one of [server, await shared]) await one?.close({ keepFiles: true });
      if (!folders) await rm(place, { recursive: true, force: true });
    },
  };
  closeAfterTest(() => program.clean());
  return program;
}

export interface Terminal {
  /** Lines of standard input. */
  readonly input?: AsyncIterable<string> | readonly string[];
  readonly isTerminal?: boolean;
  /** Whether standard input is a terminal. */
  readonly isPerson?: boolean;
  readonly redirectedInput?: 'pipe' | 'socket' | undefined;
  /** Acts as Ctrl-C. */
  readonly signal?: AbortSignal | undefined;
  /** Called with all output so far after each write. */
  readonly watch?: (written: string) => void;
}

export async function runCommandLine(kernel: Kernel, argv: readonly string[], terminal: Terminal = {}): Promise<Ended & { readonly code: number }> {
  const { input = [], isPerson = false, isTerminal = false, signal = new AbortController().signal, watch, ...more } = terminal;
  const written = { stdout: '', stderr: '', all: '' };
  const writeTo = (stream: 'stdout' | 'stderr') => (text: string) => {
    written[stream] += text;
    written.all += text;
    watch?.(written.all);
  };
  const output: CliOutput = {
    out: writeTo('stdout'),
    err: writeTo('stderr'),
    lines: () => (Symbol.asyncIterator in input ? input : Readable.from(input)),
    isTerminal,
    isInputTerminal: isPerson,
    ...more,
  };
  const code = await kernel.resolve('commands').runCli(argv, output, signal);
  return { code, stdout: written.stdout, stderr: written.stderr };
}

export type Step = readonly [waitFor: string, line: string];

/** Types each line once its text has appeared after the previous line was typed. */
export function typeLines(...steps: readonly Step[]): Pick<Terminal, 'input' | 'watch'> {
  let written = '';
  let wake = (): void => undefined;
  async function* type(): AsyncGenerator<string> {
    let from = 0;
    for (const [waitFor, line] of steps) {
      while (!written.slice(from).includes(waitFor)) await new Promise<void>((resolve) => (wake = resolve));
      from = written.length;
      yield line;
    }
  }
  return {
    input: type(),
    watch(text) {
      written = text;
      wake();
    },
  };
}
