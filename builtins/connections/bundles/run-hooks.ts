// Runs hooks one after the other, and interprets their exit codes or JSON output.
import { textStart } from '#lib/text';
import type { CommandRunner, RanCommand } from 'agent-harness/builtins/tools/shell';
import { isRecord, recordIn } from '#lib/values';
import type { Bundle, BundleHook, HookEvent } from './bundle.ts';
import { isMatch } from './tool-names.ts';

export interface HookCall {
  readonly event: HookEvent;
  /** Names of the tool, if any. */
  readonly names?: readonly string[];
  readonly chatId: string;
  readonly workspaceRoot: string;
  readonly signal: AbortSignal;
  /** Event data in the hooks' format. */
  readonly about: Readonly<Record<string, unknown>>;
}

export interface HookSaid {
  /** Reason why the call or message is blocked, for the model or the user. */
  readonly block?: string;
  /** Reason for requesting approval. */
  readonly ask?: string;
  /** Texts for the model. */
  readonly context: readonly string[];
}

export interface HookPorts {
  readonly runner: CommandRunner;
  /** Returns the bundles whose current content is trusted. */
  trusted(workspaceRoot: string): Promise<readonly Bundle[]>;
  warn(line: string): void;
}

const longestText = 10_000;

/** Runs the hooks; stops at the first blocking one. A hook that fails to run blocks tool calls only. */
export async function runHooks({ runner, trusted, warn }: HookPorts, call: HookCall): Promise<HookSaid> {
  const context: string[] = [];
  let ask: string | undefined;
  for (const bundle of await trusted(call.workspaceRoot)) {
    for (const hook of bundle.hooks) {
      if (hook.event !== call.event || !isMatch(hook.matcher, call.names ?? [])) continue;
      const ran = await runOne(runner, bundle, hook, call);
      if (call.signal.aborted) return { context };
      const said = readSaid(ran, call.event);
      if (said.fault !== undefined) warn(`a hook of ${bundle.name} at ${call.event} failed: ${said.fault}`);
      if (said.block !== undefined) return { block: `${said.block} [From a hook of ${bundle.name}.]`, context };
      ask ??= said.ask;
      if (said.context !== undefined) context.push(`[From a hook of ${bundle.name}:]\n${said.context}`);
    }
  }
  return { context, ...(ask === undefined ? {} : { ask }) };
}

function runOne(runner: CommandRunner, bundle: Bundle, hook: BundleHook, call: HookCall): Promise<RanCommand> {
  const { chatId, workspaceRoot, signal, event, about } = call;
  const input = { session_id: chatId, transcript_path: '', cwd: workspaceRoot, hook_event_name: event, ...about };
  return runner.run(hook.command, {
    ...{ chatId, workspaceRoot, signal, timeoutMs: hook.timeoutMs },
    input: `${JSON.stringify(input)}\n`,
    environment: { CLAUDE_PROJECT_DIR: workspaceRoot, ...(bundle.isOwn ? { CLAUDE_PLUGIN_ROOT: bundle.root } : {}) },
    readable: bundle.isOwn ? [bundle.root] : [],
  });
}

/** @param event plain output reaches the model only for UserPromptSubmit and SessionStart */
function readSaid({ exitCode, stdout, stderr, fault }: RanCommand, event: HookEvent): Partial<Record<'block' | 'ask' | 'context' | 'fault', string>> {
  if (fault !== undefined) return { fault, ...(event === 'PreToolUse' ? { block: `The hook did not run: ${fault}` } : {}) };
  if (exitCode === 2) return { block: cut(stderr) ?? 'The hook refused the call.' };
  if (exitCode !== 0) return { fault: `it ended with exit code ${exitCode}. ${cut(stderr) ?? ''}` };
  const json = stdout.trimStart().startsWith('{') ? recordIn(stdout) : {};
  const own = isRecord(json['hookSpecificOutput']) ? json['hookSpecificOutput'] : {};
  const why = textIn(own['permissionDecisionReason']) ?? textIn(json['reason']) ?? textIn(json['stopReason']) ?? 'The hook refused the call.';
  const decision = own['permissionDecision'] ?? json['decision'];
  if (decision === 'block' || decision === 'deny' || json['continue'] === false) return { block: why };
  const plain = event === 'UserPromptSubmit' || event === 'SessionStart' ? cut(stdout) : undefined;
  const context = Object.keys(json).length > 0 ? textIn(own['additionalContext']) : plain;
  return { ...(decision === 'ask' ? { ask: why } : {}), ...(context === undefined ? {} : { context }) };
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? cut(value) : undefined;
}

function cut(text: string): string | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  return trimmed.length <= longestText ? trimmed : `${textStart(trimmed, longestText)} [… cut]`;
}
