// Runs commands for other plugins under the rules of the model's command tool.
import { realpath } from 'node:fs/promises';
import type { CommandRun, CommandRunner, RanCommand } from 'agent-harness/builtins/tools/shell';
import { messageOf } from '#lib/errors';
import { createCommandLimits } from './command-limits.ts';
import { commandEnvironment, hiddenPrefixes } from './environment.ts';
import { findGuardedFiles } from './guarded-files.ts';
import { createOutputBuffer } from './output-buffer.ts';
import { sandboxEnvironment } from './sandbox-hints.ts';
import type { ShellPorts } from './shell-tools.ts';
import { startCommand } from './start-command.ts';

const keptBytes = 128 * 1024;

export function createCommandRunner({ running, sandboxFor, processes, limits: settings, steering, product, signal }: ShellPorts): CommandRunner {
  const limits = createCommandLimits(settings, processes);

  async function start(command: string, { chatId, input, environment, readable, workspaceRoot, timeoutMs, signal: stop }: CommandRun): Promise<RanCommand> {
    const workspace = await realpath(workspaceRoot);
    const guarded = await findGuardedFiles({ workspace, steers: (shown) => steering?.why(shown) !== undefined });
    const sandbox = await sandboxFor({ chatId, workspaceRoot, cwd: workspace, network: false, guarded, readable });
    if (sandbox && 'why' in sandbox) return failed(`Commands must run in a sandbox, but none works: ${sandbox.why}`);
    if (stop.aborted || signal.aborted) return failed('It was aborted.');
    const output = createOutputBuffer(keptBytes, 0);
    const errors = createOutputBuffer(keptBytes, 0);
    const env = { ...commandEnvironment(process.env, hiddenPrefixes(product)), ...(sandbox ? sandboxEnvironment : {}), ...environment };
    const started = startCommand(command, { cwd: workspace, env, output, errors, input, processes, limits, ...(sandbox ? { sandbox } : {}) });
    const owned = running.add(chatId, () => started.end());
    let fault: string | undefined;
    const end = (why: string): void => {
      fault = why;
      void started.end();
    };
    const onAbort = (): void => end('The command was aborted.');
    const timer = setTimeout(() => end(`The command did not end within ${timeoutMs / 1000} s.`), timeoutMs);
    stop.addEventListener('abort', onAbort, { once: true });
    try {
      const ended = await started.ended;
      const why = fault ?? ended.excess ?? ended.fault ?? (ended.signal === null ? undefined : `${ended.signal} ended it.`);
      return {
        exitCode: why === undefined ? ended.exitCode : null,
        stdout: output.text(),
        stderr: errors.text(),
        ...(why === undefined ? {} : { fault: why }),
      };
    } finally {
      clearTimeout(timer);
      stop.removeEventListener('abort', onAbort);
      owned.remove();
    }
  }

  return { run: (command, run) => start(command, run).catch((fault: unknown) => failed(messageOf(fault))) };
}

function failed(fault: string): RanCommand {
  return { exitCode: null, stdout: '', stderr: '', fault };
}
