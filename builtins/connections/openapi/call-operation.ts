// Runs one operation, or previews the request that it would send.
import { textStart } from '#lib/text';
import type { WorkspaceFiles } from 'agent-harness/builtins/tools/files';
import type { ConnectionStore } from 'agent-harness/plugins/connections';
import type { ApprovalPreview, ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { buildBody, filesIn } from './build-body.ts';
import { buildAddress, withCookies, withQuery } from './build-request.ts';
import { chooseAuths, signWith, withoutSecrets, type ProviderTokens } from './credentials.ts';
import { authsOf, type Entry } from './entry.ts';
import { readReply } from './read-reply.ts';
import { explainSending, send, type Incoming, type Outgoing } from './send.ts';
import type { OperationPlan, OperationRow } from './table.ts';

export interface CallParts {
  readonly entry: Entry;
  readonly store: ConnectionStore;
  readonly userAgent: string;
  /** Returns the service; read on every call. */
  readonly tokens: () => ProviderTokens | undefined;
  /** Returns the service; read on every call. */
  readonly files: () => WorkspaceFiles | undefined;
}

type Args = Readonly<Record<string, unknown>>;

const maxReplyBytes = 10 * 1024 * 1024;
const maxPreviewChars = 20_000;

export async function callOperation(row: OperationRow, plan: OperationPlan, args: Args, context: ToolContext, parts: CallParts): Promise<ToolOutcome> {
  const { entry, store } = parts;
  const address = buildAddress(entry.baseUrl, row, plan, args);
  if (!address.ok) return { ok: false, error: address.error };
  const body = plan.body && args['body'] !== undefined ? await buildBody(plan.body, args['body'], { call: context, files: parts.files() }) : undefined;
  if (body && !body.ok) return { ok: false, error: body.error };
  const signing = await signWith(chooseAuths(authsOf(entry), plan.security), store, parts.tokens());
  if (!signing.ok) return signing;

  const { url, headers } = address.value;
  const { signature } = signing;
  const shown = { method: row.method, url: withoutSecrets(url, signature), limit: maxReplyBytes };
  const request: Outgoing = {
    method: row.method,
    url: withQuery(url, signature.query),
    headers: withCookies(
      { 'user-agent': parts.userAgent, ...headers, ...(body ? { 'content-type': body.value.contentType } : {}), ...signature.headers },
      signature.cookies,
    ),
    ...(body ? { body: body.value.content } : {}),
  };
  try {
    return readReply(await sendWithin(request, entry, context.signal), shown, signature);
  } catch (fault) {
    return { ok: false, error: `${row.method.toUpperCase()} ${shown.url}: ${explainSending(fault)}.` };
  }
}

function sendWithin(request: Outgoing, entry: Entry, signal: AbortSignal): Promise<Incoming> {
  return send(request, { signal, limit: maxReplyBytes, mayFollow: (from, to) => from.origin === to.origin, isPublicOnly: entry.isPublicOnly });
}

/** Resolves the paths before the approval, which covers exactly the files found then. */
export function decideFiles(plan: OperationPlan, args: Args, call: Pick<ToolContext, 'callId' | 'workspaceRoot'>, files: WorkspaceFiles | undefined): void {
  if (plan.body && args['body'] !== undefined) for (const path of filesIn(plan.body, args['body'])) files?.decide(call, path);
}

/** Builds the request without credentials. */
export function previewCall(row: OperationRow, plan: OperationPlan, args: Args, baseUrl: string, workspaceRoot: string): ApprovalPreview | undefined {
  const address = buildAddress(baseUrl, row, plan, args);
  if (!address.ok) return undefined;
  const { accept: _, ...headers } = address.value.headers;
  const lines = [`${row.method.toUpperCase()} ${address.value.url}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  const body = args['body'] === undefined ? [] : ['', typeof args['body'] === 'string' ? args['body'] : JSON.stringify(args['body'], null, 2)];
  const text = [...lines, ...body].join('\n');
  const command = text.length > maxPreviewChars ? `${textStart(text, maxPreviewChars)}\n[${text.length - maxPreviewChars} more characters]` : text;
  return { kind: 'command', command, cwd: workspaceRoot, network: true };
}
