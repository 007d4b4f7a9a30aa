// Parses the hooks in other agents' files, and reports a reason for each skipped hook.
import { oneLine } from '#lib/text';
import { isRecord } from '#lib/values';
import { hookEvents, type BundleHook, type HookEvent } from './bundle.ts';

const longestHook = 8 * 1024;
const mostHooks = 50;
const defaultTimeoutS = 60;
const longestTimeoutS = 600;

/** Reads hooks in the format `{ "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "…", "timeout": 10 }] }] }`. */
export function readHooks(path: string, given: unknown): { readonly hooks: readonly BundleHook[]; readonly leftOut: readonly string[] } {
  const hooks: BundleHook[] = [];
  const leftOut: string[] = [];
  if (!isRecord(given)) return { hooks, leftOut: given === undefined ? [] : [`The hooks of ${path} are not an object.`] };
  for (const [event, groups] of Object.entries(given)) {
    const shown = oneLine(event, 60);
    if (!isHookEvent(event)) leftOut.push(`${path}: the event ${shown} has no equivalent here.`);
    else if (!Array.isArray(groups)) leftOut.push(`${path}: ${shown} is not a list.`);
    else for (const group of groups as unknown[]) takeGroup(path, event, group, hooks, leftOut);
  }
  if (hooks.length > mostHooks) leftOut.push(`${path}: only the first ${mostHooks} hooks are used.`);
  return { hooks: hooks.slice(0, mostHooks), leftOut };
}

function takeGroup(path: string, event: HookEvent, group: unknown, hooks: BundleHook[], leftOut: string[]): void {
  const { matcher = '', hooks: listed } = isRecord(group) ? group : {};
  if (typeof matcher !== 'string' || !Array.isArray(listed)) return void leftOut.push(`${path}: a group of ${event} has no list of hooks.`);
  for (const one of listed as unknown[]) {
    const { type, command, timeout } = isRecord(one) ? one : {};
    if (type !== 'command' || typeof command !== 'string' || command.trim() === '' || command.includes('\0') || command.length > longestHook) {
      leftOut.push(`${path}: a hook of ${event} is not a command that can be run.`);
      continue;
    }
    const seconds = typeof timeout === 'number' && timeout > 0 ? Math.min(timeout, longestTimeoutS) : defaultTimeoutS;
    hooks.push({ event, matcher: matcher === '*' ? '' : matcher, command, timeoutMs: seconds * 1000 });
  }
}

function isHookEvent(event: string): event is HookEvent {
  return (hookEvents as readonly string[]).includes(event);
}
