// What a plugin outside the process may add: where each function's answer is waited for, since none of its own comes at once.
import type { RouteContext } from 'agent-harness/plugins/http';
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
  if (other !== undefined) throw new Error(`'${plugin}' adds to '${point}' with a function '${other}' that must return at once, which an isolated plugin cannot. ${remedy}`);
}

/** An item as the server uses it: what its functions get is without the secrets of whoever asks. */
export function guarded(point: string, item: unknown, { hosts }: Pick<Capabilities, 'hosts'>): unknown {
  if (point === 'tool' && hosts.length > 0) return asNetworkTool(item as Tool);
  if (point === 'approval_rule') return withoutAllowing(item as ApprovalRule);
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
      const verdict = await decide(call);
      return verdict?.verdict === 'allow' ? undefined : verdict;
    },
  };
}

function functionsIn(value: unknown, path = ''): string[] {
  if (typeof value === 'function') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => functionsIn(one, path === '' ? key : `${path}.${key}`));
}
