// Defines the arguments of the shell tools.
import * as Type from 'typebox';
import type { Static } from 'typebox';

const strict = { additionalProperties: false };

/** Maximum and default time limit of a command in milliseconds. */
export const maxTimeoutMs = 600_000;
export const defaultTimeoutMs = 120_000;

export const runCommandInput = Type.Object(
  {
    command: Type.String({ minLength: 1, maxLength: 100_000, description: 'Shell command; stdin is empty.' }),
    cwd: Type.Optional(Type.String({ minLength: 1, description: 'Folder in the workspace.' })),
    timeoutMs: Type.Optional(Type.Integer({ minimum: 100, maximum: maxTimeoutMs, description: 'Default 120000.' })),
    background: Type.Optional(Type.Boolean({ description: 'Return an id immediately, for servers and watchers; read with command_output.' })),
    network: Type.Optional(Type.Boolean({ description: 'Needs the network; asks the user.' })),
    git: Type.Optional(Type.Boolean({ description: 'Commits in a worktree or submodule; asks.' })),
    changesSettings: Type.Optional(Type.Boolean({ description: 'Writes files that other programs obey (.git/config, hooks, .vscode, AGENTS.md); asks.' })),
  },
  strict,
);
export type RunCommandArgs = Static<typeof runCommandInput>;

export const commandOutputInput = Type.Object(
  {
    id: Type.String({ description: 'The id from run_command.' }),
    wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 60_000, description: 'Milliseconds to wait for new output.' })),
  },
  strict,
);
export type CommandOutputArgs = Static<typeof commandOutputInput>;

export const stopCommandInput = Type.Object({ id: Type.String({ description: 'The id from run_command.' }) }, strict);
export type StopCommandArgs = Static<typeof stopCommandInput>;

export const listCommandsInput = Type.Object({}, strict);
