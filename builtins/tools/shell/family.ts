// Defines the descriptors of the shell tools; their code is imported on first use.
import type { ToolFamily } from 'agent-harness/plugins/tools';
import { commandOutputInput, listCommandsInput, maxTimeoutMs, runCommandInput, stopCommandInput } from './inputs.ts';
import type { RunCommandArgs } from './inputs.ts';

/** Time in milliseconds for ending processes, in addition to the longest limit. */
const marginMs = 15_000;

/**
 * @param load returns one instance for all tools, which share the background commands @param isSandboxed returns whether the command of a call runs in a
 * sandbox
 */
export function shellFamily(
  load: ToolFamily['load'],
  isSandboxed: (place: { readonly workspaceRoot: string; readonly callId: string }) => Promise<boolean>,
): ToolFamily {
  return {
    name: 'shell',
    description: 'Run commands, in the foreground or background.',
    tools: [
      {
        name: 'run_command',
        display: { icon: 'terminal', verb: 'run' },
        description:
          'Runs a shell command in the workspace; returns its output and exit code. Its child processes end with it. ' +
          'In the sandbox it has no network and writes only to the workspace and /tmp.',
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
        description: "Returns a background command's new output since the last call, and its state.",
        input: commandOutputInput,
        effects: ['read'],
        readsWorkspace: true,
        undo: 'none',
        replay: 'never',
      },
      {
        name: 'stop_command',
        display: { icon: 'terminal' },
        description: 'Stops a background command and all its processes.',
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
