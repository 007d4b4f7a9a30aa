// Previews commands before their approval, and decides which commands can be previewed.
import { realpath } from 'node:fs/promises';
import type { CommandTrials, TriableCommand } from 'agent-harness/builtins/tools/shell';
import { messageOf } from '#lib/errors';
import type { ToolCall } from 'agent-harness/plugins/agent';
import { copyJson } from '#lib/values';
import { commandFolder } from './command-folder.ts';
import type { RunCommandArgs } from './inputs.ts';
import type { LazySandbox } from './lazy-sandbox.ts';
import type { ShellTools } from './shell-tools.ts';
import type { Terminals } from './terminals.ts';

export interface TrialParts {
  readonly sandbox: Pick<LazySandbox, 'whyNone' | 'tmpOf'>;
  readonly terminals: Pick<Terminals, 'decided'>;
  readonly code: () => Promise<ShellTools>;
}

export function createCommandTrials({ sandbox, terminals, code }: TrialParts): CommandTrials {
  async function whyNot({ callId, turn }: ToolCall, { background, cwd, network, git }: RunCommandArgs): Promise<string | undefined> {
    if (background === true) return 'The command runs in the background.';
    if (network === true) return 'The command uses the network, whose effects cannot be previewed.';
    if (git === true) return 'The command writes to the repository outside the workspace, which a copy does not contain.';
    if (terminals.decided(callId)) return 'The command runs in a terminal of the editor, outside the sandbox.';
    const folder = await commandFolder(cwd, turn.workspaceRoot);
    return 'why' in folder ? folder.why : sandbox.whyNone(await realpath(turn.workspaceRoot));
  }

  async function look(call: ToolCall): Promise<TriableCommand | { readonly why: string } | undefined> {
    const { tool, callId, turn } = call;
    if (tool.plugin !== 'shell' || tool.name !== 'run_command') return undefined;
    // A copy, because the approved arguments must stay unchanged.
    const args = copyJson(call.args) as unknown as RunCommandArgs;
    const why = await whyNot(call, args);
    if (why !== undefined) return { why };
    const { chatId, workspaceRoot } = turn;
    return {
      tmp: await sandbox.tmpOf(chatId),
      run: async (stage, signal) => {
        try {
          return await (await code()).tryCommand(args, { chatId, callId, workspaceRoot, signal, progress: () => undefined }, stage);
        } catch (fault) {
          return { ok: false, error: messageOf(fault) };
        }
      },
    };
  }

  return { look: (call) => look(call).catch((fault: unknown) => ({ why: messageOf(fault) })) };
}
