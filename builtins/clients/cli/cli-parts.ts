// Defines the dependencies, exit codes and usage errors shared by the CLI commands.
import type { KernelControl, KernelError } from 'agent-harness/kernel';
import { makeSafe } from '#lib/terminal';
import { oneLine } from '#lib/text';
import type { Turns } from 'agent-harness/plugins/agent';
import type { Chats, EventLog } from 'agent-harness/plugins/chats';
import type { CliCommand, CliOutput, Commands } from 'agent-harness/plugins/commands';
import type { Http, WebToken } from 'agent-harness/plugins/http';
import type { License } from 'agent-harness/plugins/licensing';
import type { Models } from 'agent-harness/plugins/models';
import type { Settings, UserPlugins } from 'agent-harness/plugins/settings';
import type { Product } from 'agent-harness/plugins/storage';
import type { ChatScreen, TerminalPanel } from 'agent-harness/builtins/clients/cli';
import type { Stream } from 'agent-harness/plugins/stream';
import type { PluginLife } from 'agent-harness/builtins/connections/plugin-life';
import type { DoctorChecks } from './doctor-checks.ts';

export interface CliParts {
  readonly services: {
    readonly chats: Chats;
    readonly commands: Commands;
    readonly eventLog?: EventLog | undefined;
    readonly kernel: KernelControl;
    readonly product: Product;
    readonly http: Http;
    readonly webToken: WebToken;
    readonly license: License;
    readonly models: Models;
    readonly settings?: Settings | undefined;
    readonly turns?: Turns | undefined;
    readonly stream?: Stream | undefined;
    readonly pluginLife?: PluginLife | undefined;
    readonly userPlugins?: UserPlugins | undefined;
  };
  readonly doctorChecks: Pick<DoctorChecks, 'look'>;
  /** Returns the terminal UI for chats, if a plugin provides one. */
  screen(): ChatScreen | undefined;
  /** Plugin panels between a chat in the terminal and its input field, in order. */
  readonly panels: readonly TerminalPanel[];
  error(reason: 'ALREADY_RUNNING' | 'NO_ANSWER' | 'TOKEN_REFUSED' | 'STREAM_LOST', details: Readonly<Record<string, unknown>>, cause?: unknown): KernelError;
}

export type CliInput = Parameters<CliCommand['run']>[0];

/** Runs one command; resolves with the exit code. */
export type RunCommand = (parts: CliParts, input: CliInput, output: CliOutput) => Promise<number>;

/** Exit codes: 0 success, 1 failure, 2 usage error, 3 approvals denied because no user could answer, 130 interrupted by Ctrl-C. */
export const exitCodes = { done: 0, failed: 1, wrongUse: 2, unanswered: 3, interrupted: 130 } as const;

/** Prints an error sentence and returns the exit code for a usage error. */
export function refuseUse(output: CliOutput, sentence: string): number {
  output.err(`${sentence}\n`);
  return exitCodes.wrongUse;
}

/** Rejects an unknown action of a command and lists the valid actions; returns the exit code. */
export function refuseAction(output: CliOutput, command: string, action: string, actions: readonly string[]): number {
  return refuseUse(output, `'${command}' has no action '${oneLine(makeSafe(action), 40)}'; use ${actions.slice(0, -1).join(', ')} or ${actions.at(-1)}.`);
}
