// The contributions of an isolated plugin: points and functions that it may have, and what those get and may return.
import type { RouteContext } from 'agent-harness/plugins/http';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import { failure } from 'agent-harness/lib/errors';
import type { ApprovalRule } from 'agent-harness/plugins/policy';
import type { Tool } from 'agent-harness/plugins/tools';
import type { Capabilities } from './capabilities.ts';
import { asNetworkTool } from './network-tool.ts';

/**
 * Point → the functions of an item that it may have. Other points want answers at once, decide who gets in, have the server read a file, or run code in the
 * page or change its words, with all rights of whoever looks at it.
 */
const functions: Readonly<Record<string, readonly string[]>> = {
  approval_rule: ['decide'],
  doctor_check: ['look'],
  job: ['run'],
  reply_section: ['read'],
  route: ['handle'],
  settings_tab: [],
  slash_command: ['run'],
  tool: ['run', 'preview', 'needsApproval'],
  undoable: ['read', 'restore', 'merge', 'keys', 'restored'],
  view: ['read', 'act'],
  wire_event: [],
};

/** Throws, with what to do, where an isolated plugin cannot add an item. */
export function refuseAtOnce(plugin: string, point: string, item: unknown): void {
  const may = Object.hasOwn(functions, point) ? functions[point] : undefined;
  const remedy = "Remove it, or set isolation: 'process' in the manifest.";
  if (!may) throw new Error(`'${plugin}' adds to '${point}', which an isolated plugin cannot. ${remedy}`);
  const other = functionsIn(item).find((path) => !may.includes(path));
  if (other !== undefined)
    throw new Error(`'${plugin}' adds to '${point}' with a function '${other}' that must return at once, which an isolated plugin cannot. ${remedy}`);
}

/** An item as the server uses it: what its functions get is without the secrets of whoever asks. */
export function guarded(point: string, item: unknown, { hosts }: Pick<Capabilities, 'hosts'>): unknown {
  if (point === 'tool' && hosts.length > 0) return asNetworkTool(item as Tool);
  if (point === 'approval_rule') return withoutAllowing(item as ApprovalRule);
  if (point === 'slash_command') return withTextAlone(item as SlashCommand);
  const door = point === 'route' ? 'handle' : point === 'reply_section' ? 'read' : undefined;
  if (door === undefined) return item;
  const { [door]: run, ...others } = item as Readonly<Record<string, (context: RouteContext) => unknown>>;
  return { ...others, [door]: (context: RouteContext) => run?.(withoutSecrets(context)) };
}

function withoutSecrets(context: RouteContext): RouteContext {
  const { token: _token, request: _request, reply: _reply, headers, ...others } = context as RouteContext & Readonly<Record<string, unknown>>;
  const { authorization: _authorization, cookie: _cookie, ...open } = headers as Readonly<Record<string, unknown>>;
  return { ...others, headers: open } as unknown as RouteContext;
}

/** It may ask for more care, and never for less. */
function withoutAllowing({ decide, ...others }: ApprovalRule): ApprovalRule {
  return {
    ...others,
    async decide(call) {
      const verdict = await decide(dataOf(call) as typeof call);
      return verdict?.verdict === 'allow' ? undefined : verdict;
    },
  };
}

/** Tool calls and prompts of a slash command count as the person's own, so an isolated plugin returns text for people only. */
function withTextAlone({ run, ...others }: SlashCommand): SlashCommand {
  return {
    ...others,
    async run(context) {
      const answer = await run(context);
      if (typeof answer === 'object' && ('calls' in answer || 'prompt' in answer)) {
        throw failure(
          `/${others.name} returned ${'calls' in answer ? 'tool calls' : 'a prompt'}, which a command of an isolated plugin cannot. It may return text.`,
        );
      }
      return answer;
    },
  };
}

/** The plain data of an argument: functions, maps and objects of classes would give access to the server. */
export function dataOf(value: unknown): unknown {
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal) return value;
  if (Array.isArray(value)) return value.map(dataOf);
  const isPlain = [null, Object.prototype].includes(Object.getPrototypeOf(value) as object | null);
  return isPlain ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, dataOf(one)])) : undefined;
}

function functionsIn(value: unknown, path = ''): string[] {
  if (typeof value === 'function') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => functionsIn(one, path === '' ? key : `${path}.${key}`));
}
