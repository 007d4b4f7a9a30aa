// Serves the HTTP routes of managed inference: sessions, model calls, wallet and receipts.
import * as Type from 'typebox';
import type { Audit } from 'agent-harness/builtins/control-plane/plane-audit-log';
import type { People } from 'agent-harness/builtins/control-plane/plane-people';
import type { PlaneSite } from 'agent-harness/builtins/control-plane/plane-serve';
import type { Http, Principal, Route, RouteSchema } from 'agent-harness/plugins/http';
import { serveSpeech, serveTranscription } from './audio-proxy.ts';
import type { Caller } from './calls.ts';
import { serveChat, type CallContext } from './chat-proxy.ts';
import type { Wallets } from './contract.ts';
import { endWithAccess } from './end-with-access.ts';
import type { ProxyParts } from './forward.ts';
import type { PricedModel, Prices } from './prices.ts';
import type { ReceiptFilter, Receipts } from './receipts.ts';
import type { Sessions } from './sessions.ts';
import { sendStatement } from './statement.ts';
import {
  emptyBody,
  memberCapBody,
  memberCapParams,
  memberCapsReply,
  modelsReply,
  okReply,
  receiptsQuery,
  receiptsReply,
  sessionReply,
  statementQuery,
  walletReply,
} from './schemas.ts';

export interface RouteParts {
  readonly people: People;
  readonly planeSite: PlaneSite;
  readonly http: Pick<Http, 'permits'>;
  readonly sessions: Sessions;
  readonly wallets: Wallets;
  readonly prices: Prices;
  readonly receipts: Receipts;
  readonly proxy: ProxyParts;
  readonly audit: () => Audit | undefined;
}

const tag = 'inference';
const bytes = Type.Unsafe<Buffer>({});
const maxBodyBytes = 64 * 1024 * 1024;
const entitlement = 'pro.managed_inference';
/** Rights of an inference session, see `sessions.ts`. */
const calls = { tag, permission: 'inference.write', entitlement } as const;
const books = { tag, permission: 'wallet.write', entitlement } as const;

export function inferenceRoutes({ people, planeSite, http, sessions, wallets, prices, receipts, proxy, audit }: RouteParts): Route<never>[] {
  const callerOf = (principal: Principal | undefined): Caller => {
    const { org, person } = people.member(principal);
    return { orgId: org.id, userId: person.id };
  };
  const timeOf = (name: string, text: string): Date => {
    if (Number.isNaN(Date.parse(text))) throw proxy.makeError('INVALID_REQUEST', { why: `'${name}' is not a valid time.` });
    return new Date(text);
  };
  const timesOf = ({ from, to }: { readonly from?: string; readonly to?: string }): Pick<ReceiptFilter, 'from' | 'to'> => ({
    ...(from === undefined ? {} : { from: timeOf('from', from) }),
    ...(to === undefined ? {} : { to: timeOf('to', to) }),
  });
  const rootURL = (): string => `${planeSite.url()}/api/inference/v1`;
  /** Aborts long responses when the caller loses access. */
  const whileAllowed = async (
    { principal, reply }: Pick<CallContext, 'reply'> & { readonly principal?: Principal },
    work: () => Promise<void>,
  ): Promise<void> => {
    const watch = endWithAccess(people, people.member(principal), reply.raw);
    try {
      await work();
    } finally {
      await watch.dispose();
    }
  };
  /** Forwards the raw bytes, because the provider decides which fields it supports. */
  const passed = (key: Route['key'], summary: string, serve: (context: CallContext, caller: Caller, parts: ProxyParts) => Promise<void>): Route<never> =>
    route({
      ...calls,
      key,
      summary,
      schema: { body: bytes },
      bodyKind: 'raw',
      bodyLimit: maxBodyBytes,
      isRaw: true,
      handle: (context) => whileAllowed(context, () => serve(context, callerOf(context.principal), proxy)),
    });

  return [
    route({
      ...books,
      key: 'POST /api/inference/session',
      summary: 'Issues a service a token for model calls, valid for HUB_INFERENCE_SESSION_MS and no longer than its license.',
      schema: { body: emptyBody, reply: sessionReply },
      async handle({ principal }) {
        const member = people.member(principal);
        if (member.via !== 'license') throw proxy.makeError('NO_LICENSE');
        const [{ token, expiresAt }, priced] = await Promise.all([sessions.begin(member), prices.all()]);
        const models = priced.filter(({ price }) => price.outputPerMillion !== undefined).map(({ model }) => model);
        return { token, expiresAt: expiresAt.toISOString(), baseURL: rootURL(), models };
      },
    }),
    passed('POST /api/inference/v1/chat/completions', 'Forwards a chat completion to the provider, paid from the wallet.', serveChat),
    passed('POST /api/inference/v1/audio/transcriptions', 'Forwards speech for transcription to the provider, paid from the wallet.', serveTranscription),
    passed('POST /api/inference/v1/audio/speech', 'Forwards text for speech synthesis to the provider, paid from the wallet.', serveSpeech),
    route({
      ...calls,
      key: 'GET /api/inference/v1/models',
      summary: 'Lists the models with a price.',
      schema: { reply: modelsReply },
      handle: async () => ({ object: 'list' as const, data: (await prices.all()).map(listed) }),
    }),
    route({
      ...books,
      key: 'GET /api/inference/wallet',
      summary: 'Returns the balance of the wallet, in micro-credits.',
      schema: { reply: walletReply },
      async handle({ principal }) {
        const { orgId, userId } = callerOf(principal);
        const [{ periodStart, periodEnd, ...amounts }, own] = await Promise.all([wallets.state(orgId), wallets.memberState(orgId, userId)]);
        return {
          ...amounts,
          periodStart: periodStart.toISOString(),
          periodEnd: periodEnd?.toISOString() ?? null,
          warning: warningAt(amounts),
          member: own ? { ...own, remainingMicro: Math.max(0, own.capMicro - own.usedMicro - own.heldMicro) } : null,
        };
      },
    }),
    route({
      ...calls,
      permission: 'inference.manage',
      key: 'GET /api/inference/wallet/members',
      summary: 'Lists the members with a wallet cap and their usage.',
      schema: { reply: memberCapsReply },
      handle: async ({ principal }) => ({ members: [...(await wallets.memberCaps(callerOf(principal).orgId))] }),
    }),
    route({
      tag,
      entitlement,
      key: 'PUT /api/inference/wallet/members/:userId',
      summary: 'Sets the wallet cap of a member per period.',
      schema: { params: memberCapParams, body: memberCapBody, reply: okReply },
      async handle({ principal, params, body }) {
        people.member(principal, 'session');
        const { orgId, userId: by } = callerOf(principal);
        const member = await people.membership(orgId, params.userId);
        if (!member) throw proxy.makeError('INVALID_REQUEST', { why: 'the organisation has no member with this id.' });
        const act = { kind: 'member_cap_changed', userId: by, metrics: { email: member.person.email, capMicro: body.capMicro } };
        await wallets.setMemberCap(orgId, params.userId, body.capMicro ?? undefined, async (transaction) => audit()?.record(orgId, act, transaction));
        return { ok: true as const };
      },
    }),
    route({
      ...books,
      key: 'GET /api/inference/receipts',
      summary: "Lists the costs of calls, newest first: the caller's own, or those of all members for admins.",
      schema: { query: receiptsQuery, reply: receiptsReply },
      async handle({ principal, query }) {
        const { orgId, userId } = callerOf(principal);
        const seesAll = principal !== undefined && http.permits(principal, 'wallet.manage');
        const { limit = 100, before } = query;
        const chosen = seesAll ? query.userId : userId;
        const filter = { ...timesOf(query), ...(chosen === undefined ? {} : { userId: chosen }), ...(before === undefined ? {} : { before }) };
        const page = [...(await receipts.page(orgId, filter, limit))];
        const last = page.at(-1);
        return { receipts: page, ...(last && page.length === limit ? { cursor: last.id } : {}) };
      },
    }),
    route({
      ...books,
      permission: 'wallet.manage',
      key: 'GET /api/inference/statement',
      summary: 'Exports all entries of a period as CSV or NDJSON. The header x-hub-total-micro contains their sum.',
      schema: { query: statementQuery },
      isRaw: true,
      handle(context) {
        const { query, reply } = context;
        const { orgId } = callerOf(context.principal);
        const times = timesOf(query);
        return whileAllowed(context, () => sendStatement(reply.raw, receipts, orgId, times, query.format ?? 'csv'));
      },
    }),
  ];
}

function warningAt({ usedMicro, capMicro }: { readonly usedMicro: number; readonly capMicro: number }): 80 | 95 | null {
  if (usedMicro * 100 >= capMicro * 95) return 95;
  return usedMicro * 100 >= capMicro * 80 ? 80 : null;
}

function listed({ model, price, validFrom }: PricedModel): {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
  pricing?: { prompt: string; completion: string; input_cache_read?: string };
} {
  const { inputPerMillion, outputPerMillion, cachedPerMillion } = price;
  const each = (perMillion: number): string => String(Number((perMillion / 1_000_000).toPrecision(12)));
  return {
    id: model,
    object: 'model',
    created: Math.floor(validFrom.getTime() / 1_000),
    owned_by: 'hub',
    ...(inputPerMillion !== undefined && outputPerMillion !== undefined
      ? {
          pricing: {
            prompt: each(inputPerMillion),
            completion: each(outputPerMillion),
            ...(cachedPerMillion === undefined ? {} : { input_cache_read: each(cachedPerMillion) }),
          },
        }
      : {}),
  };
}

/** Infers the handler's types from the schemas. */
function route<S extends RouteSchema>(definition: Route<S>): Route<never> {
  return definition as unknown as Route<never>;
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/inference/wallet': { reply: typeof walletReply };
    'GET /api/inference/wallet/members': { reply: typeof memberCapsReply };
    'PUT /api/inference/wallet/members/:userId': { params: typeof memberCapParams; body: typeof memberCapBody; reply: typeof okReply };
    'GET /api/inference/receipts': { query: typeof receiptsQuery; reply: typeof receiptsReply };
  }
}
