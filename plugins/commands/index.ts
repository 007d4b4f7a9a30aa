// Registers the contribution points for commands: slash commands for every client, and CLI commands of the program.
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type { CliCommand, SlashCommand } from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import { createCliRunner } from './cli-runner.ts';
import { createCommandRegistry } from './command-registry.ts';
import { listRoutes, type RouteParts } from './routes.ts';
import { addCommandPrompt, createHelpCommand, createSlashCommands, type SlashErrors } from './slash-commands.ts';

export const manifest = {
  name: 'commands',
  requires: ['kernel', 'product'],
  optional: ['chats', 'turns', 'http'],
  provides: ['commands'],
  errors: {
    UNKNOWN: { message: "There is no command '/{name}'.{hint} '/help' lists all commands.", status: 404 },
    FORBIDDEN: { message: "Your permissions do not allow '/{name}'. Ask the owner of the server.", status: 403 },
    NEEDS_TURN: { message: "'/{name}' calls tools, which run only in a turn. Send the command as a message.", status: 409 },
  },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services } = registry;
  emitter.hook('commands.list', 'series');
  const slashCommands = createCommandRegistry<SlashCommand>('slash command', '/');
  const cliCommands = createCommandRegistry<CliCommand>('command', '');
  registry.point('slash_command', slashCommands.handler);
  registry.point('cli_command', cliCommands.handler);

  const errors: SlashErrors = {
    unknown: (name, hint) => registry.error('UNKNOWN', { name, hint }),
    needsTurn: (name) => registry.error('NEEDS_TURN', { name }),
    forbidden: (name) => registry.error('FORBIDDEN', { name }),
  };
  const slash = createSlashCommands(
    slashCommands,
    errors,
    (principal, permission) => services.http?.permits(principal, permission) ?? false,
    (plugin, work, what) => services.kernel.runAs(plugin, work, what),
  );
  registry.provide('commands', ({ kernel, product }) => ({
    slash: (workspaceRoot) => slash.list(workspaceRoot),
    isTaken: (name, workspaceRoot) => slashCommands.find(name, workspaceRoot) !== undefined,
    runSlash: (name, context) => slash.run(name, context),
    cli: () => cliCommands.list(),
    runCli: createCliRunner(product, cliCommands, () => kernel.idle()),
  }));

  registry.add('slash_command', createHelpCommand(slashCommands));
  const { chats } = services;
  // Slash commands need conversations.
  if (chats) {
    const parts: RouteParts = {
      chatOf: (chatId) => chats.get(chatId),
      activeId: () => chats.activeId,
      readCommandFiles: (workspaceRoot) => emitter.call('commands.list', [workspaceRoot === undefined ? {} : { workspaceRoot }]),
      submit: (message) => services.turns?.submit(message),
    };
    for (const route of listRoutes(slash, parts)) registry.add('route', route);
  }
  emitter.tap('prompt.build', addCommandPrompt);
  emitter.tap('turn.intercept', (turn) => (turn.isRoot ? slash.intercept(turn) : undefined));
}
