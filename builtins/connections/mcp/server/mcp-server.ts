// Implements one configured server: its tools, its connections per workspace, and its status.
import type { Disposable } from 'agent-harness/kernel';
import { createSerialQueue } from '#lib/async';
import type { Connection } from 'agent-harness/plugins/connections';
import type { RunTool, ToolContext, ToolFamily, ToolOutcome } from 'agent-harness/plugins/tools';
import { watchCall } from './call-watch.ts';
import { cutText, whyOf } from './foreign-text.ts';
import { callTimeoutMs, mostConnections, progressFactor } from '../limits.ts';
import type { Link } from './link.ts';
import { SignInNeeded } from '../transport/connection-faults.ts';
import type { McpParts } from '../mcp-parts.ts';
import { emptyOffer, type OfferedTool, type ServerOffer } from './offer.ts';
import { readCallResult } from './read-result.ts';
import type { ServerSpec } from '../saved/server-spec.ts';
import type { SignIn } from '../sign-in/sign-in.ts';
import { createSlot, type Slot } from './slot.ts';
import { nameTools } from './tool-names.ts';

export interface ServerSetting {
  /** Prefix of the tool names. */
  readonly name: string;
  /** Unique name in the list of connections; default: `name`. */
  readonly label?: string;
  /** Tool family, unique across all servers. */
  readonly family: string;
  spec(): Promise<ServerSpec>;
  /** Whether the user trusts the server's annotations; tools that it declares as read-only then run without approval. */
  readonly autoApproveReads?: boolean;
  readonly signIn?: SignIn;
  /** Workspace to whose chats the server is restricted. */
  readonly onlyIn?: string;
  /** Returns whether the server accepts calls of a chat; default: all chats. */
  readonly admits?: (chatId: string) => boolean;
  /** Stores the server's features for the next start. */
  remember(offer: ServerOffer): Promise<void>;
}

export interface McpServer {
  readonly name: string;
  readonly offer: ServerOffer;
  connection(): Connection;
  /** Registers the known tools. */
  declare(offer: ServerOffer): void;
  /** Connects, reads the server's features, and disconnects; a tool call reconnects. */
  refresh(): Promise<ServerOffer>;
  /** Sends a request for a tool call. Contract: never rejects. */
  ask(method: string, params: Record<string, unknown>, context: ToolContext, read: (result: unknown) => ToolOutcome, asTask?: boolean): Promise<ToolOutcome>;
  /** Removes the tools and closes the connections. */
  end(): Promise<void>;
}

const progressEveryMs = 250;

export function createMcpServer(setting: ServerSetting, parts: McpParts): McpServer {
  const { name, family, label = name } = setting;
  const slots = new Map<string, Slot>();
  let offer = emptyOffer;
  let isKnown = false;
  let declared: Disposable | undefined;
  let toolCount = 0;
  let shown = '';
  let timeoutMs = callTimeoutMs;
  const keeping = createSerialQueue();

  function takeOffer(next: ServerOffer): void {
    if (isKnown && JSON.stringify(next) === JSON.stringify(offer)) return;
    declare(next);
    keeping.run(() => setting.remember(next)).catch((fault: unknown) => parts.warn(`the tools of '${name}' could not be stored: ${whyOf(fault)}`));
  }

  function declare(next: ServerOffer): void {
    isKnown = true;
    offer = next;
    void declared?.dispose();
    declared = undefined;
    const names = nameTools(
      name,
      next.tools.map((tool) => tool.name),
      (taken) => parts.services.tools.find(taken) !== undefined,
    );
    const tools = next.tools.filter((tool) => names.has(tool.name));
    toolCount = tools.length;
    if (tools.length > 0) declared = parts.addFamily(familyOf(tools, names));
    notify();
  }

  function familyOf(tools: readonly OfferedTool[], names: ReadonlyMap<string, string>): ToolFamily {
    const nameOf = (tool: OfferedTool): string => names.get(tool.name) ?? tool.name;
    const isBelieved = setting.autoApproveReads === true;
    return {
      name: family,
      description: `Tools of the MCP server '${name}'.`,
      tools: tools.map((tool) => ({
        name: nameOf(tool),
        description: tool.description,
        input: tool.input,
        effects: isBelieved && tool.isReadOnly ? ['read', 'network'] : ['external'],
        sendsArguments: true,
        replay: isBelieved && (tool.isReadOnly || tool.isIdempotent) ? 'idempotent' : 'ask',
        // The call has its own timeout, which pauses while the user is asked.
        timeoutMs: 0,
      })),
      load: async () => Object.fromEntries(tools.map((tool) => [nameOf(tool), runnerOf(tool)])),
    };
  }

  function runnerOf(tool: OfferedTool): RunTool {
    return (args: Record<string, unknown>, context) => ask('tools/call', { name: tool.name, arguments: args }, context, readCallResult, tool.isTask);
  }

  function slotFor(workspaceRoot: string | undefined): Slot {
    const key = workspaceRoot ?? '';
    let slot = slots.get(key);
    if (!slot) {
      const open = (own: Slot, signal: AbortSignal): Promise<Link> => connect(own, workspaceRoot, signal);
      slot = createSlot({ server: name, approvals: parts.services.approvals, startMs: parts.startMs, open, onState: notify });
      makeRoom();
    }
    // Keeps the most recently used connection last.
    slots.delete(key);
    slots.set(key, slot);
    return slot;
  }

  function makeRoom(): void {
    const idle = [...slots].find(([, slot]) => !slot.isInUse);
    if (slots.size < mostConnections || !idle) return;
    slots.delete(idle[0]);
    void idle[1].end();
  }

  async function connect(slot: Slot, workspaceRoot: string | undefined, signal: AbortSignal): Promise<Link> {
    const { openLink } = await import('./link.ts');
    // Another attempt would invalidate the pending sign-in.
    if (setting.signIn?.isNeeded() === true) throw new SignInNeeded('the user must sign in first');
    const spec = await setting.spec();
    timeoutMs = spec.timeoutMs;
    const { product, processes } = parts.services;
    const link = await openLink(
      {
        spec,
        processes,
        client: { name: product.name, version: product.version },
        ...(workspaceRoot === undefined ? {} : { workspaceRoot }),
        ...(setting.signIn ? { signIn: setting.signIn } : {}),
        elicit: (params, stop) => slot.elicit(params, stop),
        onOffer: takeOffer,
        log: (line) => parts.log(`${name}: ${line}`),
      },
      signal,
    );
    takeOffer(link.offer);
    return link;
  }

  async function ask(
    method: string,
    params: Record<string, unknown>,
    context: ToolContext,
    read: (result: unknown) => ToolOutcome,
    asTask = false,
  ): Promise<ToolOutcome> {
    if (setting.onlyIn !== undefined && setting.onlyIn !== context.workspaceRoot) {
      return { ok: false, error: `The MCP server '${name}' belongs to another workspace (${setting.onlyIn}) and cannot be used in this chat.` };
    }
    if (setting.admits?.(context.chatId) === false)
      return { ok: false, error: `The MCP server '${name}' was added to another chat and cannot be used in this one.` };
    const watch = watchCall(context.signal, timeoutMs, progressFactor * timeoutMs);
    const onProgress = throttle((note) => context.progress(note), watch.touch);
    try {
      const slot = slotFor(context.workspaceRoot);
      return read(await slot.use({ context, watch, questions: 0 }, (link) => link.request(method, params, { signal: watch.signal, onProgress, asTask })));
    } catch (fault) {
      if (watch.isOver)
        return {
          ok: false,
          error: `The MCP server '${name}' did not answer within ${timeoutMs / 1_000} s; the call was cancelled.`,
          hint: 'Try a smaller task or another approach.',
        };
      return { ok: false, error: `The MCP server '${name}': ${cutText(whyOf(fault), 4_000)}`, isUntrusted: true };
    } finally {
      notify();
      watch.end();
    }
  }

  function statusNow(): Pick<Connection, 'status' | 'error' | 'authorizeUrl'> {
    const states = [...slots.values()].map((slot) => slot.state);
    const failed = states.find((state) => state.kind === 'failed');
    const authorizeUrl = setting.signIn?.authorizeUrl();
    if (authorizeUrl !== undefined) return { status: 'needs_sign_in', authorizeUrl };
    if (isSignIn(failed)) return { status: 'needs_sign_in' };
    if (states.some((state) => state.kind === 'opening')) return { status: 'connecting' };
    if (failed?.kind === 'failed' && !states.some((state) => state.kind === 'open')) return { status: 'failed', error: failed.why };
    if (!isKnown) return { status: 'connecting' };
    return { status: 'connected', ...(offer.faults.length > 0 ? { error: offer.faults.join(' ') } : {}) };
  }

  function isSignIn(state: Slot['state'] | undefined): boolean {
    return state?.kind === 'failed' && state.fault instanceof SignInNeeded;
  }

  function notify(): void {
    const { status, error } = statusNow();
    const next = JSON.stringify([status, error, toolCount]);
    if (next === shown) return;
    shown = next;
    parts.changed(label, status);
  }

  return {
    name,
    get offer() {
      return offer;
    },
    declare,
    ask,
    connection: () => ({ name: label, kind: 'mcp', toolCount, ...statusNow() }),
    async refresh() {
      const slot = slotFor(setting.onlyIn);
      const link = await slot.ready(true);
      const { offer: read } = link;
      // Closes an unused connection. The record of a failed connection is kept to report the reason.
      slots.delete(setting.onlyIn ?? '');
      await slot.end();
      await keeping.idle();
      notify();
      return read;
    },
    async end() {
      void declared?.dispose();
      declared = undefined;
      await Promise.all([...slots.values()].map((slot) => slot.end()));
      slots.clear();
    },
  };
}

/** Forwards at most one progress note per interval; every note counts as progress. */
function throttle(say: (note: string) => void, touch: () => void): (note: string) => void {
  let last = -Infinity;
  return (note) => {
    touch();
    const now = performance.now();
    if (now - last < progressEveryMs) return;
    last = now;
    say(note);
  };
}
