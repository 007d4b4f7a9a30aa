// Restricts what an isolated plugin may contribute: contribution points, functions, and their arguments and results.
import type { Route, RouteContext } from 'agent-harness/plugins/http';
import { isRecord } from '#lib/values';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import { failure, messageOf } from '#lib/errors';
import type { ApprovalRule } from 'agent-harness/plugins/policy';
import type { Tool, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import type { Capabilities } from './capabilities.ts';

/**
 * Functions that an item may have, by contribution point. Some points are excluded because they need a synchronous result, authenticate clients, make the
 * server read a file, or run code or replace texts in the page with the user's permissions.
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

/** Throws an error with a remedy if an isolated plugin cannot add an item. */
export function refuseAtOnce(plugin: string, point: string, item: unknown): void {
  const may = Object.hasOwn(functions, point) ? functions[point] : undefined;
  const remedy = "Remove it, or set isolation: 'process' in the manifest.";
  if (!may) throw new Error(`'${plugin}' adds to '${point}', which an isolated plugin cannot. ${remedy}`);
  const other = functionsIn(item).find((path) => !may.includes(path));
  if (other !== undefined)
    throw new Error(`'${plugin}' adds to '${point}' with a function '${other}' that must return synchronously, which an isolated plugin cannot. ${remedy}`);
}

/** Names that an isolated plugin may not use or read. */
export interface ServerNames {
  /** Returns the names of all plugins. */
  plugins(): readonly string[];
  /** Returns the first path segments after `/api/` in the product's routes. */
  segments(): ReadonlySet<string>;
}

/** Returns the path segment that identifies the owner of a route: `api/plugins` for `GET /api/plugins/:name`. */
export function segmentOf(key: string): string {
  const [first = '', second = ''] = key.replace(/^\S+ \//, '').split('/');
  return first === 'api' ? `api/${second}` : first;
}

/** Throws for a route under a path of the product, because it could shadow a product route; an example is `PUT /api/plugins/mine`. */
export function refuseProductPath(route: unknown, taken: ReadonlySet<string>): void {
  const key = isRecord(route) && typeof route['key'] === 'string' ? route['key'] : '';
  const segment = segmentOf(key);
  if (!taken.has(segment) && !/[:*]/.test(segment)) return;
  throw new Error(`the route '${key}' is below a path of the product, to which an isolated plugin cannot add routes. Start the path with another name.`);
}

/** Wraps an item so that its functions receive no credentials of the client, and so that their results are restricted. */
export function guarded(point: string, item: unknown, { hosts }: Pick<Capabilities, 'hosts'>): unknown {
  if (point === 'tool' && hosts.length > 0) return asNetworkTool(item as Tool);
  if (point === 'approval_rule') return withoutAllowing(item as ApprovalRule);
  if (point === 'slash_command') return withTextAlone(item as SlashCommand);
  if (point === 'route') return withGuardedReply(item as Route);
  if (point !== 'reply_section') return item;
  const { read, ...others } = item as { read(context: RouteContext): unknown };
  return { ...others, read: (context: RouteContext) => read(withoutSecrets(context)) };
}

/** Removes headers from a file reply that could replace the sandbox of the page or set cookies. */
function withGuardedReply({ handle, ...others }: Route): Route {
  return {
    ...others,
    async handle(context) {
      const reply: unknown = await handle(withoutSecrets(context));
      if (!isRecord(reply) || !('content' in reply && 'headers' in reply)) return reply;
      const { headers: _, ...rest } = reply;
      return rest;
    },
  };
}

/** Matches headers that carry no credentials: content headers, and signatures of webhook senders. */
const openHeader =
  /^(?:accept(?:-language|-encoding)?|content-(?:type|length|language)|user-agent|range|if-none-match)$|-(?:signature(?:-\d+)?|event|delivery|timestamp)$/;

function withoutSecrets(context: RouteContext): RouteContext {
  const { token: _token, request: _request, reply: _reply, headers, ...others } = context as RouteContext & Readonly<Record<string, unknown>>;
  const open = Object.fromEntries(Object.entries(headers as Readonly<Record<string, unknown>>).filter(([name]) => openHeader.test(name)));
  return { ...others, headers: open } as unknown as RouteContext;
}

/** Restricts an approval rule to requesting approval and denying, in its own name. */
function withoutAllowing({ decide, ...others }: ApprovalRule): ApprovalRule {
  return {
    ...others,
    async decide(call) {
      const decided = await decide(dataOf(call) as typeof call);
      if (decided?.verdict !== 'ask' && decided?.verdict !== 'deny') return undefined;
      const { source: _, ...verdict } = decided;
      return verdict;
    },
  };
}

/** Restricts a slash command to text for users, because its tool calls and prompts would be treated as the user's own. */
function withTextAlone({ run, ...others }: SlashCommand): SlashCommand {
  return {
    ...others,
    async run(context) {
      const answer = await run(context);
      if (typeof answer === 'object' && ('calls' in answer || 'prompt' in answer)) {
        throw failure(`/${others.name} returned ${'calls' in answer ? 'tool calls' : 'a prompt'}, but a command of an isolated plugin may only return text.`);
      }
      return answer;
    },
  };
}

/** Returns an argument as plain data, because functions, maps and class instances would give access to the server. */
export function dataOf(value: unknown): unknown {
  if (typeof value === 'function') return undefined;
  if (typeof value !== 'object' || value === null || value instanceof AbortSignal) return value;
  if (Array.isArray(value)) return value.map(dataOf);
  const isPlain = [null, Object.prototype].includes(Object.getPrototypeOf(value) as object | null);
  return isPlain ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, dataOf(one)])) : undefined;
}

function functionsIn(value: unknown, path = '', seen = new Set<object>()): string[] {
  if (typeof value === 'function') return [path];
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return [];
  seen.add(value);
  return Object.entries(value).flatMap(([key, one]) => functionsIn(one, path === '' ? key : `${path}.${key}`, seen));
}

/**
 * Marks a tool of a plugin with network access as a network tool, and its results as external content, regardless of its declarations. A tool without declared
 * effects is left unchanged, because it needs an approval for each call anyway.
 */
export function asNetworkTool({ effects = [], run, ...tool }: Tool): Tool {
  const isKnown = effects.length === 0 || effects.some((effect) => effect === 'network' || effect === 'external');
  return {
    ...tool,
    effects: isKnown ? effects : [...effects, 'network'],
    // Treats all arguments as sent to the network, because it is not possible to check which arguments a plugin forwards.
    sendsArguments: true,
    ...(run ? { run: async (args: never, context: ToolContext) => asExternal(tool.name, async () => run(args, context)) } : {}),
  };
}

async function asExternal(name: string, run: () => Promise<ToolOutcome | string>): Promise<ToolOutcome> {
  try {
    const outcome = await run();
    return typeof outcome === 'string' ? { ok: true, output: outcome, isUntrusted: true } : { ...outcome, isUntrusted: true };
  } catch (fault) {
    return { ok: false, error: `${name} failed: ${messageOf(fault)}`, isUntrusted: true };
  }
}
