// Implements the shell tools: run a command, read its output, stop it, and list background commands.
import { realpath } from 'node:fs/promises';
import type { CommandStage } from 'agent-harness/builtins/tools/shell';
import type { RunTool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { createBackground, type BackgroundCommand } from './background.ts';
import { commandFolder } from './command-folder.ts';
import { abortedOutcome, clean, endText, lateOutcome, outcomeOf, withOutput } from './command-outcome.ts';
import { createCommandLimits, type LimitSettings } from './command-limits.ts';
import { commandEnvironment, hiddenPrefixes, terminalEnvironment } from './environment.ts';
import { defaultTimeoutMs, type CommandOutputArgs, type RunCommandArgs, type StopCommandArgs } from './inputs.ts';
import { findGuardedFiles, findMadeFiles, nothingGuarded, type GuardParts } from './guarded-files.ts';
import { createOutputBuffer } from './output-buffer.ts';
import { createProgressNotes } from './progress-notes.ts';
import { findLinkedRepository, removeMade } from './linked-repository.ts';
import { noSandboxHint, sandboxEnvironment, withMadeFiles, withRemovedFiles, withSandboxHint } from './sandbox-hints.ts';
import { startCommand, type CommandOptions } from './start-command.ts';
import type { RunningCommands } from './running-commands.ts';
import type { SandboxFor } from './sandbox.ts';
import type { Terminals } from './terminals.ts';
import type { Processes } from 'agent-harness/plugins/processes';
import type { SteeringFiles } from 'agent-harness/builtins/tools/files';
import { untilAborted, withLimit } from '#lib/async';
import { renderOutput } from '#lib/terminal';
import { textStart } from '#lib/text';
import type { Product } from 'agent-harness/plugins/storage';

export interface ShellPorts {
  readonly running: RunningCommands;
  readonly sandboxFor: SandboxFor;
  readonly processes: Processes;
  limits(): LimitSettings;
  /** Service of the file tools; omitted if they are missing. The rules for git's own files are built in. */
  readonly steering: SteeringFiles | undefined;
  /** The product. Commands receive none of its variables and do not run in its home folder. */
  readonly product: Product;
  readonly terminals: Terminals;
  /** Records that a call changes only the workspace; omitted if changes are not recorded. */
  readonly contained?: ((call: Pick<ToolContext, 'chatId' | 'turnId' | 'callId'>) => Promise<void>) | undefined;
  /** Aborted when the plugin unloads. */
  readonly signal: AbortSignal;
}

const halfMegabyte = 512 * 1024;
const backgroundBytes = 256 * 1024;

export interface ShellTools {
  readonly tools: Readonly<Record<string, RunTool>>;
  /** Runs a command on a stage. Returns the same outcome as the tool, and changes only the stage. */
  tryCommand(args: RunCommandArgs, running: RunningCall, stage: CommandStage): Promise<ToolOutcome>;
}

type RunningCall = Pick<ToolContext, 'chatId' | 'callId' | 'workspaceRoot' | 'signal' | 'progress'> & Partial<Pick<ToolContext, 'turnId'>>;

/** The location and the limits of a command. */
type Place = Pick<CommandOptions, 'cwd' | 'env' | 'sandbox' | 'processes' | 'limits'>;

export function createShellTools({
  running,
  sandboxFor,
  processes,
  limits: limitSettings,
  steering,
  product,
  terminals,
  contained,
  signal,
}: ShellPorts): ShellTools {
  const background = createBackground();
  const limits = createCommandLimits(limitSettings, processes);
  const environment = (): Record<string, string> => commandEnvironment(process.env, hiddenPrefixes(product));

  async function runCommand(args: RunCommandArgs, context: RunningCall, stage?: CommandStage): Promise<ToolOutcome> {
    const folder = await commandFolder(args.cwd, context.workspaceRoot);
    if ('why' in folder) return { ok: false, error: folder.why };
    if (args.command.includes('\0')) return { ok: false, error: 'The command contains a NUL character.' };
    const { chatId, workspaceRoot } = context;
    const workspace = await realpath(workspaceRoot);
    if (workspace === (await realpath(product.home).catch(() => '')))
      return { ok: false, error: "The workspace is this program's own folder; commands are blocked." };
    const terminal = args.background === true || stage ? undefined : terminals.decided(context.callId);
    if (terminal) {
      const env = terminalEnvironment(environment(), terminal.variables, hiddenPrefixes(product));
      return (await import('./run-in-terminal.ts')).runInTerminal(terminal, args, { cwd: folder.path, env, running }, context);
    }
    const guard: GuardParts = { workspace, steers: (shown) => steering?.why(shown) !== undefined };
    const guarded = args.changesSettings === true ? nothingGuarded : await findGuardedFiles(guard);
    const repository = args.git === true ? await findLinkedRepository(workspace) : undefined;
    const sandbox = await sandboxFor({ chatId, workspaceRoot, cwd: folder.path, network: args.network === true, guarded, repository, stage });
    if (stage && !sandbox) return { ok: false, error: 'No sandbox is available for the preview.' };
    if (sandbox && 'why' in sandbox) {
      return { ok: false, error: `Commands must run in a sandbox (AGENT_SANDBOX is require), but none works: ${sandbox.why}`, hint: noSandboxHint };
    }
    context.signal.throwIfAborted();
    signal.throwIfAborted();
    const plain: Place = { cwd: folder.path, env: environment(), processes, limits };
    const place: Place = sandbox ? { ...plain, env: { ...plain.env, ...sandboxEnvironment }, sandbox } : plain;
    if (args.background === true) return startInBackground(args, place, context);
    const { callId, turnId } = context;
    const ran = await runInFront(args, place, context);
    // After the command: a kill in between loses the comparison of its changes, so an undo must list the call.
    if (sandbox && !stage && args.network !== true && !repository && turnId !== undefined) await contained?.({ chatId, turnId, callId });
    const isOutside = !ran.ok && args.git !== true && (await findLinkedRepository(workspace)) !== undefined;
    const outcome = withRemovedFiles(withSandboxHint(ran, args, { ...place, isOutside }), repository ? await removeMade(repository) : []);
    return sandbox && args.changesSettings !== true ? withMadeFiles(outcome, await findMadeFiles(guarded, guard, stage?.seen)) : outcome;
  }

  async function runInFront(args: RunCommandArgs, place: Place, context: RunningCall): Promise<ToolOutcome> {
    const output = createOutputBuffer(halfMegabyte, halfMegabyte);
    const notes = createProgressNotes((note) => context.progress(renderOutput(note)));
    const started = startCommand(args.command, { ...place, output, onOutput: (chunk) => notes.add(chunk) });
    const owned = running.add(context.chatId, () => started.end());
    const limitMs = args.timeoutMs ?? defaultTimeoutMs;
    let isLate = false;
    const onAbort = (): void => void started.end();
    const limit = setTimeout(() => {
      isLate = true;
      void started.end();
    }, limitMs);
    context.signal.addEventListener('abort', onAbort, { once: true });
    // The call may have been aborted while the process was starting.
    if (context.signal.aborted) onAbort();
    try {
      const end = await started.ended;
      const text = clean(output.text());
      if (context.signal.aborted) return abortedOutcome(text);
      if (isLate) return lateOutcome(limitMs, text);
      return outcomeOf(end, text);
    } finally {
      clearTimeout(limit);
      context.signal.removeEventListener('abort', onAbort);
      notes.end();
      owned.remove();
    }
  }

  function startInBackground(args: RunCommandArgs, place: Place, { chatId }: RunningCall): ToolOutcome {
    if (background.running(chatId) >= background.limit) {
      return { ok: false, error: `${background.limit} background commands are already running in this chat.`, hint: 'Stop one with stop_command.' };
    }
    const output = createOutputBuffer(0, backgroundBytes);
    const command = background.add(chatId, args.command, output, (onOutput) => startCommand(args.command, { ...place, output, onOutput }));
    const owned = running.add(chatId, () => command.started.end());
    void command.started.ended.then(() => owned.remove());
    return { ok: true, output: `Started as ${command.id}. Read it with command_output, stop it with stop_command.` };
  }

  async function commandOutput(args: CommandOutputArgs, context: ToolContext): Promise<ToolOutcome> {
    const command = background.find(context.chatId, args.id);
    if (!command) return unknown(args.id);
    const look = (): ReturnType<BackgroundCommand['output']['since']> => command.output.since(command.seen, command.end !== undefined);
    if (args.wait !== undefined && !command.end && look().text === '') await waitFor(command, args.wait, context.signal);
    const { text: printed, next } = look();
    const text = clean(printed);
    command.seen = next;
    return { ok: true, output: withOutput(stateOf(command), text === '' ? '(no output)' : text) };
  }

  async function stopCommand(args: StopCommandArgs, context: ToolContext): Promise<ToolOutcome> {
    const command = background.find(context.chatId, args.id);
    if (!command) return unknown(args.id);
    if (command.end) return { ok: true, output: stateOf(command) };
    await command.started.end();
    return { ok: true, output: `${command.id} stopped.` };
  }

  function listCommands(_: unknown, context: ToolContext): ToolOutcome {
    const rows = background.list(context.chatId).map((command) => `${stateOf(command)}  ${textStart(command.command, 200)}`);
    return { ok: true, output: rows.length === 0 ? 'No background commands.' : rows.join('\n') };
  }

  return {
    tools: {
      run_command: (args: RunCommandArgs, context: ToolContext) => runCommand(args, context),
      ...{ command_output: commandOutput, stop_command: stopCommand, list_commands: listCommands },
    },
    tryCommand: runCommand,
  };
}

function stateOf(command: BackgroundCommand): string {
  if (!command.end) return `${command.id} is running.`;
  if (command.end.fault !== undefined) return `${command.id} could not be started: ${command.end.fault}`;
  if (command.end.excess !== undefined) return `${command.id} was ended: ${command.end.excess}`;
  return `${command.id} has ended: ${endText(command.end)}.`;
}

function unknown(id: string): ToolOutcome {
  return { ok: false, error: `This chat has no background command ${id}.`, hint: 'list_commands lists them.' };
}

/** Waits until there is output, the time limit is reached, or the call is aborted. */
async function waitFor(command: BackgroundCommand, ms: number, signal: AbortSignal): Promise<void> {
  const changed = untilAborted(command.changed(), signal).catch(() => undefined);
  await withLimit(changed, ms, () => undefined);
}
