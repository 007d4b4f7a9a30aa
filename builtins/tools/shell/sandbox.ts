// Decides for each command whether it runs in a sandbox, and builds the sandbox.
import { realpath } from 'node:fs/promises';
import type { CommandStage } from 'agent-harness/builtins/tools/shell';
import type { GuardedFiles } from './guarded-files.ts';
import type { LinkedRepository } from './linked-repository.ts';
import type { PrivateTmp } from './private-tmp.ts';
import { findBubblewrap, tryBubblewrap, type Probed } from '#lib/bubblewrap';
import { sandboxArguments } from './sandbox-arguments.ts';
import { findHiddenPaths } from './sandbox-paths.ts';

export type SandboxMode = 'auto' | 'off' | 'require';

export interface SandboxParts {
  mode(): SandboxMode;
  /** Path of the product's home folder. */
  readonly home: string;
  readonly tmp: PrivateTmp;
  /** Called once if the mode is `auto` and no sandbox is available. */
  onMissing(why: string): void;
}

export interface SandboxedCommand {
  readonly chatId: string;
  readonly workspaceRoot: string;
  readonly cwd: string;
  readonly network: boolean;
  readonly guarded: GuardedFiles;
  readonly readable?: readonly string[];
  readonly repository?: LinkedRepository | undefined;
  readonly stage?: CommandStage | undefined;
}

/** The program and the arguments that precede the command. */
export interface Wrapper {
  readonly program: string;
  readonly args: readonly string[];
}

/** Returns the wrapper for a command; `undefined` if it needs no sandbox. `why`: reason why a required sandbox is unavailable. */
export type SandboxFor = (command: SandboxedCommand) => Promise<Wrapper | undefined | { readonly why: string }>;

export interface Sandbox {
  readonly sandboxFor: SandboxFor;
  /** Returns a sentence that states why there is no sandbox; `undefined` if there is one. */
  whyNone(workspace: string): Promise<string | undefined>;
}

export function createSandbox({ mode, home, tmp, onMissing }: SandboxParts): Sandbox {
  const probed = new Map<string, Promise<Probed>>();
  let isSaid = false;

  async function probe(workspace: string): Promise<Probed> {
    const found = await findBubblewrap(process.env['PATH'] ?? '', workspace);
    if (!('program' in found)) return found;
    const known = probed.get(found.program) ?? tryBubblewrap(found.program);
    probed.set(found.program, known);
    return known;
  }

  async function sandboxFor({
    chatId,
    workspaceRoot,
    cwd,
    network,
    guarded,
    readable = [],
    repository,
    stage,
  }: SandboxedCommand): Promise<Wrapper | undefined | { why: string }> {
    const wanted = mode();
    if (wanted === 'off') return undefined;
    const workspace = await realpath(workspaceRoot);
    const found = await probe(workspace);
    if ('program' in found) {
      const [own, hidden] = await Promise.all([tmp.of(chatId), findHiddenPaths(home, workspace)]);
      const args = sandboxArguments({ workspace, own, cwd, hidden, guarded, network, readable, repository, stage });
      const [program, ...before] = [...(stage?.enter ?? []), found.program] as [string, ...string[]];
      return { program, args: [...before, ...args] };
    }
    if (wanted === 'require') return found;
    if (!isSaid) onMissing(found.why);
    isSaid = true;
    return undefined;
  }

  async function whyNone(workspace: string): Promise<string | undefined> {
    if (mode() === 'off') return 'Commands run without a sandbox (AGENT_SANDBOX is off).';
    const found = await probe(workspace);
    return 'why' in found ? `Commands run without a sandbox: ${found.why}` : undefined;
  }

  return { sandboxFor, whyNone };
}
