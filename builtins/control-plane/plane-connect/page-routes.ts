// Serves the browser pages for connecting an account: consent, the provider's redirect, and the transfer of the tokens to the service.
import type { FastifyReply } from 'fastify';
import * as Type from 'typebox';
import { codeOf, messageOf } from '#lib/errors';
import { isLoopback } from '#lib/hosts';
import type { Member, People } from 'agent-harness/builtins/control-plane/plane-people';
import type { Principal, Route } from 'agent-harness/plugins/http';
import type { MakeError } from './connect-errors.ts';
import type { ConnectStates } from './pending-connections.ts';
import type { ConnectMode, ConnectProvider } from './contract.ts';
import type { OAuthClient } from './oauth-client.ts';
import { consentPage, faultPage, handOverPage, leavingPage, type MadePage } from './pages.ts';

export interface PageRouteParts {
  readonly people: People;
  readonly states: () => ConnectStates;
  /** Returns the redirect address of a provider. */
  readonly callbackOf: (provider: string) => string;
  readonly makeError: MakeError;
  /** Rejects for an unknown provider or one without a client. */
  clientOf(provider: string): Promise<{ readonly row: ConnectProvider; readonly clientId: string; readonly oauth: OAuthClient }>;
  /** Encrypts a refresh token for storage in the service. */
  sealRefresh(provider: string, userId: string, refreshToken: string): Promise<string>;
  connected(member: Member, provider: string, mode: ConnectMode): void;
  warn(message: string): void;
}

const strict = { additionalProperties: false } as const;
const params = Type.Object({ provider: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }) }, strict);
const mode = Type.Union([Type.Literal('read_write'), Type.Literal('read_only')]);
const asked = {
  state: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  mode: Type.Optional(mode),
  redirect_uri: Type.String({ maxLength: 200 }),
};
/** Pattern of the service's address. Its host has no brackets, because a content security policy cannot contain brackets. */
const handOffAddress = /^http:\/\/([\w.]+):([1-9]\d{0,4})\/api\/integrations\/oauth\/handoff$/;

export function connectPageRoutes(parts: PageRouteParts): Route[] {
  const { people, makeError, callbackOf } = parts;

  /** Renders errors as a page. */
  async function answer(reply: FastifyReply, make: () => Promise<MadePage | { readonly location: string }>): Promise<void> {
    let made: MadePage | { readonly location: string };
    try {
      made = await make();
    } catch (fault) {
      const { status } = fault as { readonly status?: number };
      const code = codeOf(fault);
      if (code === undefined || status === undefined) {
        parts.warn(`an account could not be connected: ${messageOf(fault)}`);
        made = faultPage({ message: 'The account could not be connected because of an internal error. Try again later.', code: 'internal' }, 500);
      } else made = faultPage({ message: messageOf(fault), code: code.replace(/^.*_ERR_/, '').toLowerCase() }, status);
    }
    if ('location' in made) return void (await reply.code(302).header('location', made.location).header('cache-control', 'no-store').send());
    await reply.code(made.status).headers(made.headers).send(made.html);
  }

  /** Returns the user of a browser session; licenses are rejected. */
  function atBrowser(principal: Principal | undefined): Member | undefined {
    if (!principal) return undefined;
    const member = people.member(principal);
    return member.via === 'session' ? member : undefined;
  }

  function checkRedirect(address: string): string {
    const [, host = ''] = handOffAddress.exec(address) ?? [];
    // Accepts exactly one form of loopback address.
    if (!isLoopback(host) || !URL.canParse(address)) throw makeError('REDIRECT_FOREIGN');
    return address;
  }

  const askSchema = { params, query: Type.Object(asked, strict) };
  const ask: Route<typeof askSchema> = {
    key: 'GET /connect/:provider',
    summary: 'Asks the person whether a service on their machine may connect an account; changes nothing.',
    tag: 'connect',
    auth: 'open',
    schema: askSchema,
    isRaw: true,
    mediaType: 'text/html',
    handle: ({ params: { provider }, query, principal, request, reply }) =>
      answer(reply, async () => {
        const redirectUri = checkRedirect(query.redirect_uri);
        const { row } = await parts.clientOf(provider);
        const member = atBrowser(principal);
        if (!member) return { location: `/sign-in?${new URLSearchParams({ next: request.url }).toString()}` };
        const { person, org } = member;
        const { mode: chosenMode = 'read_write', state } = query;
        return consentPage({ provider, title: row.title, email: person.email, org: org.name, mode: chosenMode, redirectUri, state });
      }),
  };

  const confirmSchema = { params, body: Type.Object(asked, strict) };
  const confirm: Route<typeof confirmSchema> = {
    key: 'POST /connect/:provider',
    summary: 'Confirms the connection, and redirects to the provider.',
    tag: 'connect',
    permission: 'connections.write',
    bodyKind: 'form',
    schema: confirmSchema,
    isRaw: true,
    mediaType: 'text/html',
    handle: ({ params: { provider }, body, principal, reply }) =>
      answer(reply, async () => {
        const member = atBrowser(principal);
        if (!member) throw makeError('STATE_INVALID');
        const redirectUri = checkRedirect(body.redirect_uri);
        const { row, clientId } = await parts.clientOf(provider);
        const chosenMode = body.mode ?? 'read_write';
        const pending = { provider, userId: member.person.id, mode: chosenMode, redirectUri, serviceState: body.state };
        const { state, challenge } = await parts.states().begin(pending);
        const url = new URL(row.authorizeUrl);
        const scope = row.scopes[chosenMode].join(row.scopeSeparator ?? ' ');
        const fields = {
          ...row.extra,
          response_type: 'code',
          client_id: clientId,
          redirect_uri: callbackOf(provider),
          state,
          ...(scope === '' ? {} : { [row.scopeField ?? 'scope']: scope }),
          ...(row.hasPkce ? { code_challenge: challenge, code_challenge_method: 'S256' } : {}),
        };
        for (const [name, value] of Object.entries(fields)) url.searchParams.set(name, value);
        return leavingPage(row.title, url.href);
      }),
  };

  /** Schema of the redirect; allows any field, because providers add their own. */
  const backSchema = { params, query: Type.Record(Type.String(), Type.Unknown()) };
  const back: Route<typeof backSchema> = {
    key: 'GET /connect/:provider/callback',
    summary: 'Receives the redirect from the provider, and sends the tokens to the service through the page.',
    tag: 'connect',
    auth: 'open',
    schema: backSchema,
    isRaw: true,
    mediaType: 'text/html',
    handle: ({ params: { provider }, query, principal, reply }) =>
      answer(reply, async () => {
        const member = atBrowser(principal);
        const { state, code, error } = query;
        const pending = member && typeof state === 'string' && state.length <= 100 ? await parts.states().use(state, provider, member.person.id) : undefined;
        if (!member || !pending) throw makeError('STATE_INVALID');
        if (typeof code !== 'string' || code.length > 4_096)
          throw makeError('DECLINED', { why: typeof error === 'string' && /^[\w.-]{1,60}$/.test(error) ? error : 'it sent no code' });
        const { row, oauth } = await parts.clientOf(provider);
        const grant = { code, verifier: pending.verifier, redirectUri: callbackOf(provider), callback: query };
        const { tokens, account } = await oauth.exchange(grant);
        const { refreshToken, scopes = row.scopes[pending.mode], accessToken, expiresAt } = tokens;
        const bundle = {
          accountId: account.accountId,
          ...(account.email === undefined ? {} : { email: account.email }),
          accessToken,
          ...(refreshToken === undefined ? {} : { refreshToken: await parts.sealRefresh(provider, member.person.id, refreshToken) }),
          ...(expiresAt === undefined ? {} : { expiresAt }),
          scopes,
          ...(account.name === undefined ? {} : { metadata: { name: account.name } }),
        };
        parts.connected(member, provider, pending.mode);
        return handOverPage(row.title, pending.redirectUri, { state: pending.serviceState, provider, bundle });
      }),
  };
  return [ask, confirm, back];
}
