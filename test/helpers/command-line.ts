// Runs a command line of the program in this process: opens the distribution from its sources on a home folder, runs the command and closes it.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ended } from './cli-program.ts';
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
  return {
    home,
    workspace,
    async run(argv, { environment, folder, input, signal = new AbortController().signal } = {}) {
      const isShared = sharesStart && environment === undefined && folder === undefined;
      const { kernel, close } = await (isShared ? (shared ??= open(false)) : open(false, environment, folder));
      let stdout = '';
      let stderr = '';
      const output = {
        out: (text: string) => void (stdout += text),
        err: (text: string) => void (stderr += text),
        isTerminal: false,
        isInputPiped: input !== undefined,
        async *lines() {
          yield* (input ?? '').split('\n').slice(0, -1);
        },
      };
      try {
        const code = await kernel.resolve('commands').runCli(argv, output, signal);
        return { code, stdout, stderr };
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
}
