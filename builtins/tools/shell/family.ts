// Defines the descriptors of the shell tools; their code is imported on first use.
import type { ToolFamily } from 'agent-harness/plugins/tools';
import { commandOutputInput, listCommandsInput, maxTimeoutMs, runCommandInput, stopCommandInput } from './inputs.ts';
import type { RunCommandArgs } from './inputs.ts';

/** Time in milliseconds to end processes, in addition to the longest limit. */
const marginMs = 15_000;

/** @param load returns one instance for all tools, which share the background commands @param isSandboxed returns whether the command of a call runs in a sandbox */
export function shellFamily(
  load: ToolFamily['load'],
  isSandboxed: (place: { readonly workspaceRoot: string; readonly callId: string }) => Promise<boolean>,
): ToolFamily {
  return {
    name: 'shell',
    description: 'Run commands, also in the background.',
    tools: [
      {
        name: 'run_command',
        display: { icon: 'terminal', verb: 'run' },
        description:
          'Runs a shell command in the workspace; answers output and exit code. What it starts ends with it. ' +
          'A sandboxed one writes to the workspace and /tmp only, without network.',
        input: runCommandInput,
        effects: ['execute'],
        incidental: ['timeoutMs'],
        kinds: async (args: RunCommandArgs) => (await import('./command-kinds.ts')).kindsOf(args),
        readsWorkspace: true,
        undo: 'compare',
        replay: 'never',
        timeoutMs: maxTimeoutMs + marginMs,
        isEveryday: true,
        preview: async (args: RunCommandArgs, place) =>
          (await import('./command-folder.ts')).previewCommand(args, place.workspaceRoot, await isSandboxed(place)),
      },
      {
        name: 'command_output',
        display: { icon: 'terminal' },
        description: 'Answers what a background command printed since the last look, and whether it still runs.',
        input: commandOutputInput,
        effects: ['read'],
        readsWorkspace: true,
        undo: 'none',
        replay: 'never',
      },
      {
        name: 'stop_command',
        display: { icon: 'terminal' },
        description: 'Ends a background command with everything it started.',
        input: stopCommandInput,
        effects: ['execute'],
        undo: 'none',
        replay: 'idempotent',
      },
      {
        name: 'list_commands',
        display: { icon: 'terminal' },
        description: 'Lists the background commands of this chat.',
        input: listCommandsInput,
        effects: ['read'],
        undo: 'none',
        replay: 'pure',
      },
    ],
    load,
  };
}
