// Registers the shell tools: commands run in a sandbox and a process group, in the foreground or background, and end when their owner ends.
import { realpath } from 'node:fs/promises';
import { lazy } from '#lib/async';
import * as Type from 'typebox';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import type {} from 'agent-harness/builtins/tools/files';
import type {} from 'agent-harness/builtins/turn/checkpoints';
import type { CommandRunner, CommandTrials } from 'agent-harness/builtins/tools/shell';
import type {} from 'agent-harness/plugins/agent';
import type {} from 'agent-harness/plugins/chats';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/policy';
import type {} from 'agent-harness/plugins/processes';
import type {} from 'agent-harness/plugins/storage';
import type { LimitSettings } from './command-limits.ts';
import { createRunningCommands } from './running-commands.ts';
import { shellFamily } from './family.ts';
import type { ShellPorts } from './shell-tools.ts';
import { createLazyReading } from './lazy-reading.ts';
import { createLazySandbox } from './lazy-sandbox.ts';
import { createTerminals } from './terminals.ts';

export const manifest = {
  name: 'shell',
  requires: ['product', 'processes'],
  optional: ['steeringFiles', 'checkpoints'],
  provides: ['commandReading', 'commandRunner', 'commandTrials'],
  config: Type.Object({
    sandbox: Type.Union([Type.Literal('auto'), Type.Literal('off'), Type.Literal('require')], {
      default: 'auto',
      env: 'AGENT_SANDBOX',
      mustFit: true,
      words: 'isolation container docker bubblewrap jail shell security protect',
      rank: 30,
      tab: 'safety',
      title: 'Sandbox for commands',
      description:
        'Runs commands in a sandbox (Linux with bubblewrap): they can write only to the workspace, cannot read secrets, and need an approval for network access. ' +
        'auto: if the sandbox works here; require: commands are refused without it; off: never.',
      apply: 'live',
    }),
    editorTerminal: Type.Boolean({
      default: false,
      env: 'AGENT_EDITOR_TERMINAL',
      words: 'acp zed jetbrains neovim terminal shell sandbox',
      tab: 'safety',
      title: "Commands in the editor's terminal",
      description:
        'In a chat of an editor with terminals for agents, commands run there, where you see them and can type. They run outside the sandbox with your ' +
        'permissions, and each needs an approval. Background commands, and commands that only read the workspace, run here. No effect if a sandbox is required.',
      apply: 'live',
    }),
    memoryMb: Type.Integer({
      default: 0,
      minimum: 0,
      maximum: 16_777_216,
      env: 'AGENT_COMMAND_MEMORY_MB',
      words: 'ram limit shell',
      tab: 'safety',
      title: 'Memory limit of a command (MB)',
      description: "A command that, with all its child processes, uses more memory is ended (Linux). 0: three quarters of the server's memory.",
      apply: 'live',
    }),
    mostProcesses: Type.Integer({
      default: 2_000,
      minimum: 10,
      maximum: 1_000_000,
      env: 'AGENT_COMMAND_PROCESSES',
      tab: 'safety',
      title: 'Process limit of a command',
      description: 'A command with more simultaneous processes is ended (Linux).',
      apply: 'live',
    }),
  }),
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { product, processes, steeringFiles, checkpoints } = registry.services;
  const reading = createLazyReading(product.home);
  const running = createRunningCommands();
  const sandbox = createLazySandbox({
    mode: () => registry.config.sandbox,
    product,
    onMissing: (why) => registry.log.warn(`commands run without a sandbox: ${why}`),
  });
  const end = async (chatId?: string): Promise<void> => {
    await running.endAll(chatId);
    await sandbox.clear(chatId);
  };
  const limits = (): LimitSettings => ({ memoryMb: registry.config.memoryMb, mostProcesses: registry.config.mostProcesses });
  const terminals = createTerminals(() => registry.config);
  registry.point('command_terminal', terminals.point);
  const ports: ShellPorts = {
    ...{ running, sandboxFor: sandbox.sandboxFor, processes, limits, steering: steeringFiles, product, terminals },
    ...(checkpoints ? { contained: (call) => checkpoints.contained(call) } : {}),
    signal: registry.signal,
  };
  const code = lazy(() => import('./shell-tools.ts').then(({ createShellTools }) => createShellTools(ports)));
  registry.add(
    'tool_family',
    shellFamily(
      async () => (await code()).tools,
      async ({ workspaceRoot, callId }) => terminals.decided(callId) === undefined && (await sandbox.whyNone(await realpath(workspaceRoot))) === undefined,
    ),
  );
  let runner: Promise<CommandRunner> | undefined;
  let trials: Promise<CommandTrials> | undefined;
  registry.provide('commandRunner', () => ({
    run: async (command, run) => (await (runner ??= import('./command-runner.ts').then((code) => code.createCommandRunner(ports)))).run(command, run),
  }));
  registry.provide('commandTrials', () => ({
    look: async (call) => (await (trials ??= import('./command-trials.ts').then((file) => file.createCommandTrials({ sandbox, terminals, code })))).look(call),
  }));
  registry.provide('commandReading', () => reading);
  registry.add('approval_rule', {
    name: 'harmless-commands',
    async decide({ callId, tool, args, turn }) {
      if (tool.plugin !== 'shell') return undefined;
      const { ruleFor } = await import('./command-rule.ts');
      const verdict = await ruleFor(tool.name, args, turn.workspaceRoot, reading);
      return tool.name === 'run_command' ? terminals.judge(verdict, { callId, chatId: turn.chatId }, args) : verdict;
    },
  });
  emitter.tap('tool.after', (_, { callId }) => terminals.forget(callId));
  emitter.tap('chat.close', (chatId) => end(chatId));
  emitter.tap('session.reset', ({ chatId }) => end(chatId));
  emitter.tap('app.stop', () => end());
  registry.defer(() => end(), 'commands');
}
