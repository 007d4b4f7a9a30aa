// Maps tool names and arguments to those that other agents' hooks expect, such as `Bash` and its `command`.
import { resolve } from 'node:path';
import type { ToolCall } from 'agent-harness/plugins/agent';

const known: Readonly<Record<string, string>> = {
  run_command: 'Bash',
  read_file: 'Read',
  write_file: 'Write',
  edit_file: 'Edit',
  find_files: 'Glob',
  grep_files: 'Grep',
  web_fetch: 'WebFetch',
  web_search: 'WebSearch',
  spawn_task: 'Task',
};

/** The name elsewhere first, if there is one, then the name here. */
export function namesOf({ tool }: Pick<ToolCall, 'tool'>): readonly string[] {
  const other = known[tool.name];
  return other === undefined ? [tool.name] : [other, tool.name];
}

/** The arguments, with the path named and written as elsewhere. */
export function inputOf({ args, turn }: Pick<ToolCall, 'args' | 'turn'>): Readonly<Record<string, unknown>> {
  const { path } = args;
  return typeof path === 'string' && !path.includes('\0') ? { ...args, file_path: resolve(turn.workspaceRoot, path) } : args;
}

/** Matches whole names, as `Edit|Write` and `mcp__.*` mean them. An invalid pattern matches nothing but itself. */
export function isMatch(matcher: string, names: readonly string[]): boolean {
  if (matcher === '') return true;
  // Patterns that can run for long are not supported: only words, dots, stars and alternatives.
  if (!/^[\w.*|()+?-]{1,500}$/.test(matcher) || /[*+?]\)?[*+?]|\)[*+]/.test(matcher)) return names.includes(matcher);
  try {
    const pattern = new RegExp(`^(?:${matcher})$`);
    return names.some((name) => pattern.test(name));
  } catch {
    return names.includes(matcher);
  }
}
