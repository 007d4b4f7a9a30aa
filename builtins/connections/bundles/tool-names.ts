// Converts tool names and arguments to those that other agents' hooks expect, such as `Bash` with its `command`.
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

/** Returns the name that other agents use for the tool, if any, followed by its own name. */
export function namesOf({ tool }: Pick<ToolCall, 'tool'>): readonly string[] {
  const other = known[tool.name];
  return other === undefined ? [tool.name] : [other, tool.name];
}

/** Returns the arguments with the name and format that other agents use for the path. */
export function inputOf({ args, turn }: Pick<ToolCall, 'args' | 'turn'>): Readonly<Record<string, unknown>> {
  const { path } = args;
  return typeof path === 'string' && !path.includes('\0') ? { ...args, file_path: resolve(turn.workspaceRoot, path) } : args;
}

/** Matches whole names against patterns such as `Edit|Write` and `mcp__.*`. An invalid pattern matches only itself. */
export function isMatch(matcher: string, names: readonly string[]): boolean {
  if (matcher === '') return true;
  // Accepts only words, dots, stars and alternatives, because other patterns may take too long to match.
  if (!/^[\w.*|()+?-]{1,500}$/.test(matcher) || /[*+?]\)?[*+?]|\)[*+]/.test(matcher)) return names.includes(matcher);
  try {
    const pattern = new RegExp(`^(?:${matcher})$`);
    return names.some((name) => pattern.test(name));
  } catch {
    return names.includes(matcher);
  }
}
