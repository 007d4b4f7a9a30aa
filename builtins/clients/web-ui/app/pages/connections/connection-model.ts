// What the connections page says about states, and what it makes of its forms. Pure.
import type { ApiAuth, ApiDocument, McpServer, ProviderAccount } from './connection-calls.ts';

export interface StatusWords {
  readonly text: string;
  readonly tone: 'good' | 'warn' | 'bad' | '';
}

const known: Readonly<Record<string, StatusWords>> = {
  connected: { text: 'Connected', tone: 'good' },
  connecting: { text: 'Connecting…', tone: '' },
  failed: { text: 'Failed', tone: 'bad' },
  needs_sign_in: { text: 'Needs a sign-in', tone: 'warn' },
  needs_trust: { text: 'Waits for your trust', tone: 'warn' },
};

export function statusWords(status: string): StatusWords {
  return Object.hasOwn(known, status) ? (known[status] as StatusWords) : { text: status.replaceAll('_', ' '), tone: '' };
}

/** An account that needs a sign-in says so first; where its token could not be refreshed, nobody knows that it works. */
export function accountWords({ healthy, reachable = true }: Pick<ProviderAccount, 'healthy' | 'reachable'>): StatusWords {
  if (!healthy) return { text: 'Needs a new sign-in', tone: 'bad' };
  return reachable ? { text: 'Works', tone: 'good' } : { text: 'Cannot be reached', tone: 'warn' };
}

/** Who it is, as far as the provider says. */
export function accountTitle({ email, name, accountId }: ProviderAccount): string {
  return email ?? name ?? accountId;
}

/** The grammar of names; the tools of a connection begin with it. */
export const namePattern = '[a-z][a-z0-9_\\-]{0,31}';
export const nameHint = 'Small letters, digits, - and _. The names of its tools begin with it.';

export interface McpForm {
  readonly name: string;
  readonly how: 'command' | 'url';
  readonly command: string;
  /** One argument a line. */
  readonly argumentLines: string;
  readonly url: string;
  readonly sign: 'none' | 'bearer' | 'oauth';
  readonly token: string;
  readonly autoApproveReads: boolean;
}

export const emptyMcpForm: McpForm = {
  name: '',
  how: 'command',
  command: '',
  argumentLines: '',
  url: '',
  sign: 'none',
  token: '',
  autoApproveReads: false,
};

export function mcpServerOf({ name, how, command, argumentLines, url, sign, token, autoApproveReads }: McpForm): McpServer {
  const reads = autoApproveReads ? { autoApproveReads } : {};
  if (how === 'command') return { name, command: command.trim(), args: linesOf(argumentLines), ...reads };
  const auth = sign === 'bearer' ? { auth: { kind: sign, token } } : sign === 'oauth' ? { auth: { kind: sign } } : {};
  return { name, url: url.trim(), ...auth, ...reads };
}

/** An argument may begin or end with a space; a line without anything is none. */
function linesOf(text: string): string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
}

export interface ApiForm {
  readonly name: string;
  readonly from: 'address' | 'text';
  readonly specUrl: string;
  readonly spec: string;
  readonly baseUrl: string;
  readonly sign: 'none' | ApiAuth['kind'];
  /** Of the header or field; with `basic` who signs in. */
  readonly signName: string;
  readonly secret: string;
}

export const emptyApiForm: ApiForm = { name: '', from: 'address', specUrl: '', spec: '', baseUrl: '', sign: 'none', signName: '', secret: '' };

export function apiDocumentOf(form: ApiForm): ApiDocument {
  const { name, from, specUrl, spec, baseUrl } = form;
  const auth = apiAuthOf(form);
  return {
    name,
    ...(from === 'address' ? { specUrl: specUrl.trim() } : { spec }),
    ...(baseUrl.trim() === '' ? {} : { baseUrl: baseUrl.trim() }),
    ...(auth === undefined ? {} : { auth }),
  };
}

function apiAuthOf({ sign, signName, secret }: ApiForm): ApiAuth | undefined {
  if (sign === 'none') return undefined;
  if (sign === 'bearer') return { kind: sign, token: secret };
  if (sign === 'basic') return { kind: sign, user: signName, password: secret };
  return { kind: sign, name: signName.trim(), value: secret };
}
