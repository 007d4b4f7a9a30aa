// Calls a provider with an account's token, which is sent only to the provider's own addresses.
import { messageOf } from '#lib/errors';
import { textStart } from '#lib/text';
import { jsonOf, recordIn } from '#lib/values';
import { fetchComplete, readUpTo } from '#lib/complete-fetch';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { isUnreachable, type Accounts } from './accounts.ts';
import { buildCall, isReading, type ProviderCall } from './build-call.ts';
import type { IntegrationProvider, ProviderTool } from './contract.ts';

export interface Caller {
  operation(tool: ProviderTool, args: Record<string, unknown>, context: ToolContext): Promise<ToolOutcome>;
  request(args: RequestArguments, context: ToolContext): Promise<ToolOutcome>;
}

export interface RequestArguments {
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
  readonly accountId?: string;
}

interface Wish {
  readonly accountId: string | undefined;
  /** Whether the operation is read-only. */
  readonly isRead: boolean;
}

const timeoutMs = 30_000;
const maxBytes = 2_000_000;

/** @param signal aborts running calls */
export function createCaller(provider: IntegrationProvider, accounts: Accounts, signal: AbortSignal): Caller {
  async function send(call: ProviderCall, { accountId: given, isRead }: Wish, context: ToolContext): Promise<ToolOutcome> {
    const accountId = given ?? (await accounts.of(provider.id))[0]?.accountId;
    const place = locate(provider, call);
    if (place === undefined) return { ok: false, error: `This path is not under ${provider.title}.`, hint: 'Pass a path under its own origin.' };
    const refused = isRead ? undefined : await refuseReadOnly(accountId);
    if (refused) return refused;
    let token: string;
    try {
      token = await accounts.token(provider.id, accountId);
    } catch (fault) {
      return { ok: false, error: messageOf(fault), ...(isUnreachable(fault) ? {} : { hint: 'The user can connect the account on the Connections page.' }) };
    }
    const reply = await fetchComplete(place.href, {
      method: call.method,
      headers: {
        accept: 'application/json',
        ...provider.headers,
        authorization: `Bearer ${token}`,
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      // A redirect could leak the token.
      redirect: 'manual',
      signal: AbortSignal.any([signal, context.signal, AbortSignal.timeout(timeoutMs)]),
    });
    const text = (await readUpTo(reply.body, maxBytes)).bytes.toString('utf8').replaceAll(token, '[token]');
    if (reply.status === 401 && accountId !== undefined) await accounts.failed(provider.id, accountId, token);
    if (!reply.ok) return { ok: false, error: `${provider.title} returned ${reply.status}. ${textStart(text, 2_000)}`.trim(), isUntrusted: true };
    const refusal = refusalIn(text);
    if (refusal !== undefined) return { ok: false, error: `${provider.title} refused: ${textStart(refusal, 500)}`, isUntrusted: true };
    return { ok: true, output: text === '' ? `Done (${reply.status}).` : pretty(text), isUntrusted: true };
  }

  /** Refuses changes for an account that the user connected for reading only, whatever the rights of the token. */
  async function refuseReadOnly(accountId: string | undefined): Promise<ToolOutcome | undefined> {
    const all = await accounts.of(provider.id);
    const account = all.find((one) => accountId === undefined || one.accountId === accountId);
    if (account?.mode !== 'read_only') return undefined;
    const other = all.find(({ mode }) => mode === 'read_write');
    const way = other ? `Use accountId ${other.accountId}, which has write access.` : 'The user can reconnect it with write access.';
    return { ok: false, error: `The account ${account.accountId} at ${provider.title} is connected read-only.`, hint: way };
  }

  return {
    operation(tool, args, context) {
      const { accountId, ...others } = args;
      return send(buildCall(tool, others), { accountId: accountId as string | undefined, isRead: isReading(tool) }, context);
    },
    request({ method = 'GET', path, query = {}, body, accountId }, context) {
      return send({ method, path, query, body }, { accountId, isRead: method === 'GET' }, context);
    },
  };
}

/** Returns the address of a request; `undefined` for an address on another host. A relative path belongs to the provider's first origin. */
function locate(provider: IntegrationProvider, { path, query }: ProviderCall): URL | undefined {
  const [first] = provider.origins;
  const address = path.startsWith('/') ? `${first.replace(/\/$/, '')}${path}` : path;
  if (!URL.canParse(address)) return undefined;
  const place = new URL(address);
  if (place.username !== '' || place.password !== '' || !provider.origins.some((origin) => isUnder(place, new URL(origin)))) return undefined;
  for (const [name, value] of Object.entries(query)) place.searchParams.append(name, String(value));
  return place;
}

function isUnder(place: URL, base: URL): boolean {
  return place.origin === base.origin && `${place.pathname}/`.startsWith(`${base.pathname.replace(/\/$/, '')}/`);
}

/** Returns the error in a response that has the status 200. */
function refusalIn(text: string): string | undefined {
  const { ok, error } = recordIn(text);
  return ok === false && typeof error === 'string' ? error : undefined;
}

function pretty(text: string): string {
  const value = jsonOf(text);
  return value === undefined ? text : JSON.stringify(value, null, 1);
}
