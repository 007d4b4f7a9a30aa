// Sends OAuth requests to a provider with the operator's client: code exchange, refresh, revocation, and account lookup.
import { withLimit } from '#lib/async';
import { messageOf } from '#lib/errors';
import { textStart } from '#lib/text';
import { isRecord, recordIn } from '#lib/values';
import { fetchOutgoing } from '#lib/complete-fetch';
import type { MakeError } from './connect-errors.ts';
import type { ConnectProvider } from './contract.ts';

export interface Client {
  readonly id: string;
  readonly secret: string;
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken?: string;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly scopes?: readonly string[];
}

export interface ConnectedAccount {
  readonly accountId: string;
  readonly email?: string;
  readonly name?: string;
}

export interface OAuthClient {
  /** Exchanges a code for tokens, and reads the account. @param callback fields of the redirect address */
  exchange(grant: {
    readonly code: string;
    readonly verifier: string;
    readonly redirectUri: string;
    readonly callback: Readonly<Record<string, unknown>>;
  }): Promise<{ readonly tokens: Tokens; readonly account: ConnectedAccount }>;
  refresh(refreshToken: string): Promise<Tokens>;
  /** Revokes the tokens; resolves to `true` if the provider confirmed it. An error of the provider does not cause a rejection. */
  revoke(tokens: { readonly accessToken?: string | undefined; readonly refreshToken?: string | undefined }): Promise<boolean>;
}

interface Outgoing {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: { readonly form: Readonly<Record<string, string>> } | { readonly json: object };
}

/** Timeout of a request to a provider in milliseconds. */
const timeoutMs = 15_000;
/** Maximum size of a provider's response in bytes. */
const maxReplyBytes = 1024 * 1024;
/** Maximum length of a token in characters. */
const maxTokenLength = 8_192;
/** Error codes of providers for an invalid refresh token or code; the first is the standard one. */
const invalidGrantCodes: readonly unknown[] = [
  'invalid_grant',
  'bad_refresh_token',
  'invalid_refresh_token',
  'bad_verification_code',
  'token_revoked',
  'invalid_code',
];

export function createOAuthClient(provider: ConnectProvider, client: Client, makeError: MakeError, signal: AbortSignal): OAuthClient {
  const { id } = provider;
  const basic = `Basic ${Buffer.from(`${encodeURIComponent(client.id)}:${encodeURIComponent(client.secret)}`).toString('base64')}`;
  const unreachable = (why: string, cause?: unknown): Error => makeError('PROVIDER_UNREACHABLE', { provider: id, why }, cause);

  async function send({ url, method = 'POST', headers, body }: Outgoing): Promise<{ readonly status: number; readonly text: string }> {
    try {
      const reply = await fetchOutgoing(url, {
        method,
        headers: {
          accept: 'application/json',
          'user-agent': 'agent-harness',
          ...provider.headers,
          ...(body === undefined ? {} : { 'content-type': 'form' in body ? 'application/x-www-form-urlencoded' : 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: 'form' in body ? new URLSearchParams(body.form).toString() : JSON.stringify(body.json) }),
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      return { status: reply.status, text: await withLimit(textOf(reply), timeoutMs, () => Promise.reject(new Error('the response stalled'))) };
    } catch (fault) {
      throw unreachable(fault instanceof Error && fault.name === 'TimeoutError' ? 'it timed out' : 'the request failed', messageOf(fault));
    }
  }

  /** Returns a JSON response. Some providers report errors with status 200. */
  async function requestJson(outgoing: Outgoing): Promise<Readonly<Record<string, unknown>>> {
    const { status, text } = await send(outgoing);
    const answer = recordIn(text);
    const { error, ok } = answer;
    const code = isRecord(error) ? error['code'] : error;
    if (invalidGrantCodes.includes(code)) throw makeError('INVALID_GRANT', { provider: id });
    if (status >= 500 || status === 429 || status === 408) throw unreachable(`it responded with status ${status}`);
    if (status >= 400 || code !== undefined || ok === false)
      throw makeError('PROVIDER_REFUSED', { provider: id, why: plainCode(code) ?? `it responded with status ${status}` });
    if (status < 200 || status >= 300) throw unreachable(`it responded with status ${status}`);
    return answer;
  }

  function requestTokens(fields: Readonly<Record<string, string>>): Promise<Readonly<Record<string, unknown>>> {
    const all = provider.clientAuth === 'basic' ? fields : { ...fields, client_id: client.id, client_secret: client.secret };
    return requestJson({
      url: provider.tokenUrl,
      headers: provider.clientAuth === 'basic' ? { authorization: basic } : {},
      body: provider.tokenBody === 'json' ? { json: all } : { form: all },
    });
  }

  function tokensIn(answer: Readonly<Record<string, unknown>>): Tokens {
    const nested = provider.tokensAt === undefined ? answer : valueAt(answer, provider.tokensAt);
    // After a refresh, every provider returns the tokens at the top level.
    const found = isRecord(nested) && typeof nested['access_token'] === 'string' ? nested : answer;
    const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds, scope } = found;
    if (!isToken(accessToken)) throw makeError('PROVIDER_REFUSED', { provider: id, why: 'its response contains no token' });
    return {
      accessToken,
      ...(isToken(refreshToken) ? { refreshToken } : {}),
      ...(typeof seconds === 'number' && seconds > 0 ? { expiresAt: new Date(Date.now() + seconds * 1_000).toISOString() } : {}),
      ...(typeof scope === 'string'
        ? {
            scopes: scope
              .split(/[\s,]+/)
              .filter(Boolean)
              .slice(0, 200),
          }
        : {}),
    };
  }

  async function accountOf(
    answer: Readonly<Record<string, unknown>>,
    accessToken: string,
    callback: Readonly<Record<string, unknown>>,
  ): Promise<ConnectedAccount> {
    const { request, accountId: idPath, isInCallback, email: emailPath, name: namePath } = provider.account;
    const account = request
      ? await requestJson({
          url: request.url,
          method: request.method ?? 'GET',
          headers: { authorization: `Bearer ${accessToken}` },
          ...(request.body === undefined ? {} : { body: { json: request.body } }),
        })
      : answer;
    const accountId = isInCallback ? callback[idPath] : valueAt(account, idPath);
    if ((typeof accountId !== 'string' && typeof accountId !== 'number') || !/^[\x21-\x7e]{1,200}$/.test(String(accountId)))
      throw makeError('PROVIDER_REFUSED', { provider: id, why: 'its response does not identify the account' });
    const [email, name] = [emailPath, namePath].map((path) => (path === undefined ? undefined : valueAt(account, path)));
    return {
      accountId: String(accountId),
      ...(typeof email === 'string' && email !== '' ? { email: textStart(email, 320) } : {}),
      ...(typeof name === 'string' && name !== '' ? { name: textStart(name, 200) } : {}),
    };
  }

  return {
    async exchange({ code, verifier, redirectUri, callback }) {
      const proof: Record<string, string> = provider.hasPkce ? { code_verifier: verifier } : {};
      const answer = await requestTokens({ grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...proof });
      const tokens = tokensIn(answer);
      return { tokens, account: await accountOf(answer, tokens.accessToken, callback) };
    },
    refresh: async (refreshToken) => tokensIn(await requestTokens({ grant_type: 'refresh_token', refresh_token: refreshToken })),
    async revoke({ accessToken, refreshToken }) {
      const { revoke } = provider;
      if (!revoke) return false;
      const token = revoke.token === 'refresh' ? (refreshToken ?? accessToken) : (accessToken ?? refreshToken);
      if (token === undefined) return false;
      const authorization = revoke.auth === 'client' ? { authorization: basic } : revoke.auth === 'token' ? { authorization: `Bearer ${token}` } : undefined;
      const fields = revoke.field === undefined ? undefined : { [revoke.field]: token };
      try {
        const { status, text } = await send({
          url: revoke.url.replace('{client_id}', encodeURIComponent(client.id)),
          method: revoke.method ?? 'POST',
          ...(authorization ? { headers: authorization } : {}),
          ...(fields ? { body: revoke.body === 'json' ? { json: fields } : { form: fields } } : {}),
        });
        const { ok, error } = recordIn(text);
        return status >= 200 && status < 300 && ok !== false && error === undefined;
      } catch {
        return false; // an error counts as not confirmed
      }
    },
  };
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxTokenLength && /^[\x21-\x7e]+$/.test(value);
}

/** Returns a provider's error code if it is a plain identifier. */
function plainCode(code: unknown): string | undefined {
  return typeof code === 'string' && /^[\w.-]{1,60}$/.test(code) ? code : undefined;
}

function valueAt(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((at, name) => (isRecord(at) && Object.hasOwn(at, name) ? at[name] : undefined), value);
}

async function textOf(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (!reply.body) return '';
  for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxReplyBytes) throw new Error('its response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
