// Defines how a server is specified by the user or a workspace, and how it is stored with encrypted secrets.
import { isAbsolute } from 'node:path';
import { normalizeHeaderValue, normalizeKey, tryNormalize } from '#lib/setting-texts';
import { textStart } from '#lib/text';
import type { ConnectionStore } from 'agent-harness/plugins/connections';
import { findOAuthFault, splitSecrets, type GivenOAuth, type OAuthSetup } from '../sign-in/oauth-setup.ts';
import { callTimeoutMs } from '../limits.ts';
import type { ServerOffer } from '../server/offer.ts';

export const namePattern = '^[a-z][a-z0-9_-]{0,31}$';

export interface CommandSpec {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables that are added to a clean environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path; default: the user's home folder. */
  readonly cwd?: string;
  /** Time limit of a call in milliseconds. */
  readonly timeoutMs: number;
}

export interface UrlSpec {
  readonly kind: 'url';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly usesOAuth: boolean;
  /** Time limit of a call in milliseconds. */
  readonly timeoutMs: number;
}

export type ServerSpec = CommandSpec | UrlSpec;

export type GivenAuth =
  { readonly kind: 'bearer'; readonly token: string } | { readonly kind: 'header'; readonly name: string; readonly value: string } | GivenOAuth;

/** A server as given in an HTTP request. */
export interface GivenServer {
  readonly name: string;
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly auth?: GivenAuth;
  readonly timeoutMs?: number;
  readonly autoApproveReads?: boolean;
}

/** A server in the section `mcp` of the connections file. */
export interface SavedServer {
  readonly url?: string;
  readonly command?: string;
  readonly args?: readonly string[];
  readonly cwd?: string;
  readonly usesOAuth?: boolean;
  readonly timeoutMs?: number;
  readonly autoApproveReads?: boolean;
  /** Encrypted JSON: `{ env, headers }`. */
  readonly secrets?: string;
  readonly oauth?: OAuthSetup;
  /** Encrypted JSON of {@link OAuthSecrets}. */
  readonly oauthSecrets?: string;
  /** Encrypted JSON with the result of the sign-in. */
  readonly signIn?: string;
  /** Last known features of the server, available without a connection. */
  readonly offer?: ServerOffer;
}

const headerName = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
/** Headers that the connection itself sets, so an entry must not set them. */
const ownHeaders = new Set(['host', 'content-length', 'content-type', 'connection', 'transfer-encoding', 'accept', 'mcp-session-id', 'mcp-protocol-version']);
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Returns the problem as a sentence; `undefined` if there is none. */
export function findFault(given: Omit<GivenServer, 'name'>): string | undefined {
  if ((given.url === undefined) === (given.command === undefined)) return 'Set either url or command.';
  return given.url === undefined ? findCommandFault(given) : findUrlFault(given, given.url);
}

function findCommandFault({ command, args = [], env = {}, cwd, auth }: Omit<GivenServer, 'name'>): string | undefined {
  if (auth) return 'auth requires a url; pass secrets to a command in env.';
  if (command === undefined || command.trim() === '') return 'The command is empty.';
  if ([command, ...args, ...Object.values(env)].some((text) => text.includes('\0')))
    return 'A command, its arguments and its environment must not contain NUL.';
  if (cwd !== undefined && (!isAbsolute(cwd) || cwd.includes('\0'))) return 'cwd must be an absolute path.';
  const bad = Object.keys(env).find((name) => !variableName.test(name));
  return bad === undefined ? undefined : `'${textStart(bad, 50)}' is not a valid variable name.`;
}

function findUrlFault({ args, env, cwd, auth }: Omit<GivenServer, 'name'>, text: string): string | undefined {
  if (args ?? env ?? cwd) return 'args, env and cwd require a command.';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'The url must begin with http:// or https://.';
  if (url.username !== '' || url.password !== '') return 'The url must not contain a password; use auth.';
  if (auth?.kind === 'bearer') return faultOf('The token', normalizeKey, auth.token);
  if (auth?.kind === 'header') return findHeaderFault(auth.name, auth.value);
  return auth ? findOAuthFault(auth) : undefined;
}

export function findHeaderFault(name: string, value: string): string | undefined {
  if (!headerName.test(name) || ownHeaders.has(name.toLowerCase())) return `'${textStart(name, 50)}' cannot be used as a header.`;
  return faultOf(`The value of the header '${name}'`, normalizeHeaderValue, value);
}

function faultOf(what: string, normalize: (text: string) => string, text: string): string | undefined {
  const { fault } = tryNormalize(normalize, text);
  return fault === undefined ? undefined : `${what} ${fault}`;
}

/** Converts headers to their sent form. Contract: {@link findHeaderFault} found nothing. */
export function normalizeHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, normalizeHeaderValue(value)]));
}

/** Builds the specification of a server. Contract: {@link findFault} found nothing. */
export function specOf(given: Omit<GivenServer, 'name'>): ServerSpec {
  const timeoutMs = given.timeoutMs ?? callTimeoutMs;
  const { url, command = '', args = [], env = {}, cwd, auth } = given;
  if (url === undefined) return { kind: 'command', command, args, env, timeoutMs, ...(cwd === undefined ? {} : { cwd }) };
  return { kind: 'url', url, headers: headersOf(auth), usesOAuth: auth !== undefined && auth.kind !== 'bearer' && auth.kind !== 'header', timeoutMs };
}

function headersOf(auth: GivenAuth | undefined): Record<string, string> {
  if (auth?.kind === 'bearer') return { authorization: `Bearer ${normalizeKey(auth.token)}` };
  return auth?.kind === 'header' ? { [auth.name]: normalizeHeaderValue(auth.value) } : {};
}

type Sealer = Pick<ConnectionStore, 'seal' | 'unseal'>;

export async function sealSpec(spec: ServerSpec, store: Sealer): Promise<SavedServer> {
  const kept = spec.kind === 'command' ? spec.env : spec.headers;
  const secrets = Object.keys(kept).length === 0 ? {} : { secrets: await store.seal(JSON.stringify(kept)) };
  const timeout = spec.timeoutMs === callTimeoutMs ? {} : { timeoutMs: spec.timeoutMs };
  if (spec.kind === 'url') return { url: spec.url, ...(spec.usesOAuth ? { usesOAuth: true } : {}), ...timeout, ...secrets };
  return { command: spec.command, args: spec.args, ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }), ...timeout, ...secrets };
}

/** Encrypts the secrets of a sign-in; returns an empty object if there are none. */
export async function sealOAuth(auth: GivenAuth | undefined, store: Sealer): Promise<Pick<SavedServer, 'oauth' | 'oauthSecrets'>> {
  if (auth === undefined || auth.kind === 'bearer' || auth.kind === 'header') return {};
  const { setup, secrets } = splitSecrets(auth);
  return { oauth: setup, ...(Object.keys(secrets).length === 0 ? {} : { oauthSecrets: await store.seal(JSON.stringify(secrets)) }) };
}

/** Decrypts a stored server. Rejects if the entry is invalid, or its secrets were encrypted for another home folder. */
export async function openSpec(saved: SavedServer, store: Sealer): Promise<ServerSpec> {
  const { url, command, args, cwd, timeoutMs } = saved;
  const bare = { url, command, args, cwd, timeoutMs } as Omit<GivenServer, 'name'>;
  const fault = findFault(bare);
  if (fault !== undefined) throw new Error(`Its entry in integrations.json cannot be used: ${fault}`);
  const kept = saved.secrets === undefined ? {} : await unsealRecord(saved.secrets, store);
  const spec = specOf(bare);
  return spec.kind === 'command' ? { ...spec, env: kept } : { ...spec, headers: kept, usesOAuth: saved.usesOAuth === true };
}

async function unsealRecord(sealed: string, store: Sealer): Promise<Record<string, string>> {
  const text = await store.unseal(sealed);
  if (text === undefined) throw new Error('Its secrets were encrypted in another home folder. Set the server up again.');
  return JSON.parse(text) as Record<string, string>;
}
